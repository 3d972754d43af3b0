kernels! { Backprop:
    kernel keep(change)
    fn adjust(
        x: ThreadX, y: ThreadY, units: usize, inputs: usize, eta: f32, momentum: f32, delta: &[f32], input: &[f32],
        weight: &mut [f32], last: &mut [f32],
    ) {
        if x < units && y < inputs {
            let i = y * units + x;
            let change = eta * delta[x] * input[y] + momentum * last[i];
            weight[i] = cvt_rn(weight[i] + change);
            last[i] = cvt_rn(change);
        }
    }
}
