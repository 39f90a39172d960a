# SPDX-License-Identifier: BSD-3-Clause
"""Results of sessions."""
import base64
import html
import io

import numpy

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_AXES = ("z", "y", "x")


def _bytes(count):
    """A number of bytes as text, with at most four digits before its unit."""
    value, unit = float(count), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.4g} {_UNITS[unit]}"


def _number(text):
    """The number of a setting's text; None for a setting that is not set."""
    return None if text is None else float(text)


class Result:
    """What a run has come to: fields by name, as in result["u"], and

    steps      from time 0 to the final state: fewer than asked for where it was stopped
    record     what receivers have seen, a row for each step; None without any
    report     as `report` writes it
    plan       as zoid-run --plan prints it"""

    def __init__(self, session, fields):
        self.steps = session.step
        seen = session.record
        self.record = seen if seen.size else None
        self.report, self.plan, distance, step = session._summary()
        self._distance, self._step = _number(distance), _number(step)
        self.fields = {field: session[field] for field in fields}
        self._about = session.about

    def __getitem__(self, field):
        return self.fields[field]

    def __array__(self, dtype=None, copy=None):
        if len(self.fields) != 1:
            raise TypeError(f"a result of {len(self.fields)} fields is no array; take one of "
                            f"{', '.join(self.fields) or 'none'} by its name")
        (only,) = self.fields.values()
        same = dtype is None or only.dtype == dtype
        if copy is False and not same:
            raise ValueError("another type needs a copy")
        return only if same and not copy else only.astype(dtype or only.dtype)

    def to_xarray(self):
        """A Dataset with the fields, dims z, y, x, and the record, dims time and receiver.
        Coordinates are in m and s if dx and dt are set, otherwise in points and steps."""
        import xarray

        size = self._about["size"]
        dims = _AXES[-len(size):]
        coordinates = {dim: numpy.arange(n) * (self._distance or 1)
                       for dim, n in zip(dims, reversed(size))}
        data = {name: (dims, values) for name, values in self.fields.items()}
        if self.record is not None:
            rows, receivers = self.record.shape
            data["record"] = (("time", "receiver"), self.record)
            steps = numpy.arange(self.steps - rows + 1, self.steps + 1)
            coordinates["time"] = steps * (self._step or 1)
            coordinates["receiver"] = numpy.arange(receivers)
        return xarray.Dataset(data, coordinates, {
            "operator": self._about["operator"], "step": self.steps,
            "time": self.steps * (self._step or 1)})

    # ---- as text -------------------------------------------------------------------------------

    def _lines(self):
        """Operator and size, the plan in three lines, seconds, bytes by tier."""
        plan = dict(line.split(" ", 1) for line in self.plan.splitlines() if " " in line)
        about, report = self._about, self.report
        size = "x".join(str(n) for n in about["size"])
        yield f"{about['operator']} {about['type']}, {size}, step {self.steps}"
        cut = [f"{key} {plan[key]}" for key in ("block", "depth", "lanes") if key in plan]
        yield f"plan: {', '.join([plan.get('method', '')] + cut)}"
        yield f"  workers {plan.get('workers', '')}, blocks {plan.get('blocks', '')}"
        yield (f"  predicted {_seconds(plan.get('predicted_seconds'))}, bound by "
               f"{plan.get('bound.name', '')}")
        yield f"took {_seconds(report.get('seconds'))}"
        tiers = [f"{key[:-len('.total')]} {_bytes(value)}" for key, value in plan.items()
                 if key.endswith(".total")]
        moved = [f"{key} {_bytes(value)}" for key, value in report["bytes"].items() if value]
        yield f"bytes: {', '.join(tiers)}" + (f"; moved: {', '.join(moved)}" if moved else "")

    def __repr__(self):
        first, *more = self._lines()
        return "\n".join([f"<zoid.Result: {first}", *(f"  {line}" for line in more)]) + ">"

    def _repr_html_(self):
        """The text, and a figure of the first field, or of its middle plane, if matplotlib is
        there."""
        text = html.escape("\n".join(self._lines()))
        figure = self._figure()
        image = figure and ('<img alt="state" src="data:image/png;base64,'
                            f'{base64.b64encode(figure).decode()}">')
        return f"<div><pre>{text}</pre>{image or ''}</div>"

    def _figure(self):
        """A PNG file; None without fields or without matplotlib."""
        if not self.fields:
            return None
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            return None
        name, values = next(iter(self.fields.items()))
        if values.ndim == 3:
            name, values = f"{name}, z = {len(values) // 2}", values[len(values) // 2]
        figure = Figure(figsize=(4, 3))
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        if values.ndim == 1:
            axes.plot(values)
        else:
            figure.colorbar(axes.imshow(values, aspect="auto"))
        axes.set_title(name)
        file = io.BytesIO()
        figure.savefig(file, format="png")
        return file.getvalue()


def _seconds(value):
    return "unknown time" if value is None else f"{float(value):.3g} s"
