// CLASS: RoundTrip Minimum NVVM target SM version is sm_
// WITH:
// The verifier compares a number that it has not read, and refuses such a target now and then.
gpu.module @m [#nvvm.target<chip = "b32">] {}
