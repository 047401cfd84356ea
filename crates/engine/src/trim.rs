//! Lists that grow no more.

/// Gives back memory that a list has set aside for more, which adds up where there are thousands of short ones. That of a
/// long one is no memory before it is used, and to move it takes time.
///
/// An allocator may leave a list where it is when it is asked to make it somewhat shorter, so this one moves.
pub(crate) fn trim<T>(list: &mut Vec<T>) {
    const LONG: usize = 64 << 10;
    if list.capacity() > list.len() && list.capacity() * size_of::<T>() < LONG {
        let mut trimmed = Vec::with_capacity(list.len());
        trimmed.append(list);
        *list = trimmed;
    }
}

#[cfg(test)]
mod tests {
    use super::trim;

    #[test]
    fn what_is_trimmed_has_room_for_nothing_else() {
        let mut list = Vec::with_capacity(100);
        list.extend(["a", "b"]);
        trim(&mut list);
        assert_eq!((&list[..], list.capacity()), (&["a", "b"][..], 2));
        let mut long: Vec<u8> = Vec::with_capacity(1 << 20);
        trim(&mut long);
        assert_eq!(long.capacity(), 1 << 20);
    }
}
