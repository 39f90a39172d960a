/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls for a device that is not the calling thread's current one. */
#ifndef ZOID_CODELETS_CUDA_DEVICE_CUH
#define ZOID_CODELETS_CUDA_DEVICE_CUH

#include <cuda_runtime.h>

/* Makes a device current in the calling thread, and restores the previous one. */
class at_device
{
  public:
    explicit at_device(int device)
    {
        cudaGetDevice(&before);
        error = cudaSetDevice(device);
    }
    ~at_device()
    {
        cudaSetDevice(before);
    }
    at_device(const at_device &) = delete;
    at_device &operator=(const at_device &) = delete;

    cudaError_t error;

  private:
    int before = 0;
};

/* Clears CUDA's last error, so that the next call does not report it; returns `error`. */
inline int tell(cudaError_t error)
{
    if (error)
        cudaGetLastError();
    return error;
}

#endif
