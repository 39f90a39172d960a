# SPDX-License-Identifier: BSD-3-Clause
"""Results of sessions."""


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
        self.report = session.report
        self.plan = session.plan
        self.fields = {field: session[field] for field in fields}
        self._about = session.about

    def __getitem__(self, field):
        return self.fields[field]

    def __array__(self, dtype=None, copy=None):
        (only,) = self.fields.values()
        return only if dtype is None else only.astype(dtype)

    def to_xarray(self):
        """A Dataset with the fields, dims z, y, x (in points), and the record, dims time and
        receiver."""
        import xarray

        dims = ("z", "y", "x")[-len(self._about["size"]):]
        data = {name: (dims, values) for name, values in self.fields.items()}
        if self.record is not None:
            data["record"] = (("time", "receiver"), self.record)
        return xarray.Dataset(data, attrs={"operator": self._about["operator"],
                                           "step": self.steps})

    def __repr__(self):
        seconds = self.report.get("seconds")
        return (f"<zoid.Result: {self._about['operator']}, "
                f"{'x'.join(str(n) for n in self._about['size'])}, step {self.steps}, "
                f"{seconds:.3g} s>")
