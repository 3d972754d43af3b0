//! The textures and surfaces of a machine.

use super::Machine;
use crate::exec::texture::{Texels, Texture};
use crate::run::objects::Object;

impl Machine {
    /// Adds a texture and returns its handle, which a kernel gets as an argument of 64 bits.
    ///
    /// The texture does not own its texels. A fetch from memory that was freed, or that is smaller
    /// than the texture, is a fault.
    ///
    /// ```
    /// use ptxf_vm::{Channel, Machine, Sampler, Texels, Texture};
    ///
    /// let mut machine = Machine::new();
    /// let x = machine.buffer(&[0_u16; 12]);
    /// let texels = Texels::array(x.address(), Channel::F16, 1, &[4, 3], None)?;
    /// let texture = machine.add_texture(Texture::new(texels, Sampler::default(), false)?);
    /// assert!(machine.remove_object(texture) && !machine.remove_object(texture));
    /// # Ok::<(), String>(())
    /// ```
    pub fn add_texture(&mut self, texture: Texture) -> u64 {
        self.objects.add(Object::Texture(texture))
    }

    /// Adds a surface and returns its handle, which a kernel gets as an argument of 64 bits.
    ///
    /// # Errors
    ///
    /// Returns a description if the texels are linear memory, which kernels write to without a
    /// surface.
    ///
    /// ```
    /// use ptxf_vm::{Arg, Channel, Machine, Module, Texels};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 s) {
    ///     .reg .u64 %rd<2>;
    ///     ld.param.u64 %rd1, [s];
    ///     sust.b.2d.b8.trap [%rd1, {2, 1}], 7;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// let x = machine.buffer(&[0_u8; 8]);
    /// let surface = machine.add_surface(Texels::array(x.address(), Channel::U8, 1, &[4, 2], None)?)?;
    /// machine.launch(&entry, 1, 1, 0, &[Arg::from(surface)])?;
    /// assert_eq!(machine.read(x)?, [0, 0, 0, 0, 0, 0, 7, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_surface(&mut self, texels: Texels) -> Result<u64, String> {
        if texels.is_linear() {
            return Err("linear memory cannot be a surface: use an array, or access it by its address".to_owned());
        }
        Ok(self.objects.add(Object::Surface(texels)))
    }

    /// Removes a texture or surface. Its handle is never used again, so that later accesses are
    /// faults. Returns `false` if there is none.
    pub fn remove_object(&mut self, handle: u64) -> bool {
        self.objects.remove(handle)
    }
}
