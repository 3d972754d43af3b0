//! Compiles the kernels for devices.

fn main() -> Result<(), ptxf_build::Error> {
    ptxf_build::Kernels::new("kernels").target("sm_75").build()?;
    Ok(())
}
