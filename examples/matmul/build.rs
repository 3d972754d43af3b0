//! Compiles the kernels for devices.

fn main() -> Result<(), ptxf_build::Error> {
    // The instruction for e4m3 needs both.
    ptxf_build::Kernels::new("kernels").target("sm_90").ptx("8.4".parse()?).build()?;
    Ok(())
}
