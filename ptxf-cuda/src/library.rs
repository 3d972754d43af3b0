//! Libraries: modules that belong to no context, and kernels of them.
//!
//! A library is a module of the context in which it is loaded, and a kernel is a function, with the
//! same handles. Without a current context it is loaded into the primary one.

use std::ffi::{c_int, c_uint};

use crate::abi::{Host, In, Out, Text};
use crate::failure::{Code, Done};
use crate::{image, module, state};

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(crate) fn load_data(
    library: Out<usize>,
    image: Host,
    _options: In<c_uint>,
    _values: In<Host>,
    _count: c_uint,
    _of_library: In<c_uint>,
    _of_library_values: In<Host>,
    _of_library_count: c_uint,
) -> Done {
    load(library, &image::text(image)?)
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(crate) fn load_file(
    library: Out<usize>,
    path: Text,
    _options: In<c_uint>,
    _values: In<Host>,
    _count: c_uint,
    _of_library: In<c_uint>,
    _of_library_values: In<Host>,
    _of_library_count: c_uint,
) -> Done {
    let path = path.get()?;
    let bytes = std::fs::read(&path).map_err(|e| Code::FileNotFound.because(format!("{path}: {e}")))?;
    load(library, &image::of_file(bytes)?)
}

fn load(library: Out<usize>, text: &str) -> Done {
    let library = library.place()?;
    if state::current_or_none()?.is_some() {
        return library.put(module::load_text(text)?);
    }
    state::push(&*state::retain(0)?);
    let handle = module::load_text(text);
    state::pop()?;
    library.put(handle?)
}

/// Returns the module of a library, or the function of a kernel: they have one handle.
pub(crate) fn same(found: Out<usize>, of: usize) -> Done {
    state::of(of)?;
    found.put(of)
}

pub(crate) fn attribute(value: Out<c_int>, attribute: c_uint, kernel: usize, _device: c_int) -> Done {
    module::attribute(value, attribute, kernel)
}

pub(crate) fn set_attribute(attribute: c_uint, value: c_int, kernel: usize, _device: c_int) -> Done {
    module::set_attribute(kernel, attribute, value)
}

pub(crate) fn configure(kernel: usize, configuration: c_uint, _device: c_int) -> Done {
    module::configure(kernel, configuration)
}
