//! Contexts: their creation, the current one, and their limits.

use std::ffi::{c_int, c_uint, c_ulonglong};

use crate::abi::{Host, Out};
use crate::device::known;
use crate::failure::{Code, Done};
use crate::{capture, state};

pub(crate) fn retain(context: Out<usize>, device: c_int) -> Done {
    context.place()?.put(state::retain(known(device)?)?.handle())
}

pub(crate) fn release(device: c_int) -> Done {
    state::release(known(device)?, false)
}

pub(crate) fn reset(device: c_int) -> Done {
    state::release(known(device)?, true)
}

pub(crate) fn primary_state(device: c_int, flags: Out<c_uint>, active: Out<c_int>) -> Done {
    let device = known(device)?;
    flags.put(0)?;
    active.put(state::is_active(device).into())
}

pub(crate) fn set_primary_flags(device: c_int, _flags: c_uint) -> Done {
    known(device).map(drop)
}

pub(crate) fn create(context: Out<usize>, _flags: c_uint, device: c_int) -> Done {
    context.place()?.put(state::create(known(device)?)?.handle())
}

/// Creates a context. Its affinity is ignored.
pub(crate) fn create_v3(context: Out<usize>, _affinity: Host, _count: c_int, flags: c_uint, device: c_int) -> Done {
    create(context, flags, device)
}

pub(crate) fn create_v4(context: Out<usize>, parameters: Host, flags: c_uint, device: c_int) -> Done {
    if !parameters.is_null() {
        return Err(Code::NotSupported.because("parameters of a context are not supported: pass a null pointer"));
    }
    create(context, flags, device)
}

pub(crate) fn destroy(context: usize) -> Done {
    state::destroy(context)
}

/// Counts a use of the current context, which ends with the last use.
pub(crate) fn attach(context: Out<usize>, flags: c_uint) -> Done {
    if flags != 0 {
        return Err(Code::InvalidValue.because("cuCtxAttach takes no flags"));
    }
    let (place, current) = (context.place()?, state::current()?);
    current.enter()?.attached += 1;
    place.put(current.handle())
}

pub(crate) fn detach(context: usize) -> Done {
    let found = state::context(context)?;
    let mut state = found.enter()?;
    if state.attached == 0 {
        drop(state);
        return state::destroy(context);
    }
    state.attached -= 1;
    Ok(())
}

pub(crate) fn set_current(context: usize) -> Done {
    crate::settings::known()?;
    let context = if context == 0 { None } else { Some(state::context(context)?) };
    state::set(context.as_deref());
    Ok(())
}

pub(crate) fn get_current(context: Out<usize>) -> Done {
    context.put(state::current_or_none()?.map_or(0, |context| context.handle()))
}

pub(crate) fn push(context: usize) -> Done {
    state::push(&*state::context(context)?);
    Ok(())
}

pub(crate) fn pop(context: Out<usize>) -> Done {
    context.put_if(state::pop()?.handle());
    Ok(())
}

pub(crate) fn device(device: Out<c_int>) -> Done {
    device.put(state::current()?.device as c_int)
}

pub(crate) fn synchronize() -> Done {
    let context = state::current()?;
    let mut state = context.enter()?;
    if capture::is_any() { state.refuse_while_capturing() } else { Ok(()) }
}

pub(crate) fn api_version(context: usize, version: Out<c_uint>) -> Done {
    if context == 0 {
        state::current()?;
    } else {
        state::context(context)?;
    }
    version.put(3020)
}

pub(crate) fn id(context: usize, id: Out<c_ulonglong>) -> Done {
    let context = if context == 0 { state::current()? } else { state::context(context)? };
    id.put(context.id())
}

pub(crate) fn flags(flags: Out<c_uint>) -> Done {
    state::current()?;
    flags.put(0)
}

pub(crate) fn set_flags(_flags: c_uint) -> Done {
    state::current().map(drop)
}

/// The number of kinds of limits, and that of the heap of `malloc` in kernels.
const LIMITS: c_uint = 7;
const HEAP: c_uint = 2;

pub(crate) fn set_limit(limit: c_uint, value: usize) -> Done {
    if limit >= LIMITS {
        return Err(Code::InvalidValue.into());
    }
    let context = state::current()?;
    let mut state = context.enter()?;
    if limit == HEAP && !state.machine.set_heap(value as u64) {
        return Err(Code::InvalidValue.because("a module with `malloc` is loaded, and the heap has its size"));
    }
    state.limits.insert(limit, value);
    Ok(())
}

/// Returns the limit that was set. The machine's own limits of calls, local memory and `printf` are
/// fixed.
pub(crate) fn limit(value: Out<usize>, limit: c_uint) -> Done {
    if limit >= LIMITS {
        return Err(Code::InvalidValue.into());
    }
    let context = state::current()?;
    let set = context.enter()?.limits.get(&limit).copied();
    value.put(set.unwrap_or(match limit {
        0 => 1 << 10,
        HEAP => 8 << 20,
        _ => 1 << 20,
    }))
}

/// Accepts a configuration of caches or banks, which the machine does not have.
pub(crate) fn configure(_configuration: c_uint) -> Done {
    state::current().map(drop)
}

pub(crate) fn configuration(configuration: Out<c_uint>) -> Done {
    state::current()?;
    configuration.put(0)
}

pub(crate) fn priorities(least: Out<c_int>, greatest: Out<c_int>) -> Done {
    state::current()?;
    least.put_if(0);
    greatest.put_if(0);
    Ok(())
}

pub(crate) fn enable_peer(_peer: usize, _flags: c_uint) -> Done {
    Err(Code::PeerAccessUnsupported.into())
}
