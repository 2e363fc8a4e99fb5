use super::*;
use sha2::{Digest, Sha256};

const PACKETS: [Packet; 4] = [Packet::Timestamp, Packet::Offset, Packet::Incompressible, Packet::Random];
const SIZES: [usize; 9] = [0, 1, 7, 8, 13, 100, 4096, 5000, 9003];

/// Recorded from mdtest 4.1 with `-G 5`: packet, rank, item, bytes, SHA-256.
#[rustfmt::skip]
const RECORDED: [(&str, u64, u64, usize, &str); 24] = [
    ("t", 0, 0, 1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
    ("t", 1, 1, 8, "c597b6e97d25ac67efbcc80f224475845de0ac036bfeaeef6656c2d562975c1f"),
    ("t", 0, 1, 100, "472c30d0bf307d120d15e99c915de3464d71f89c36dde047b63eb64a894b191a"),
    ("t", 1, 0, 4096, "d11c462a79edcf9c37f76d6540b71e30b41f37b179377344857b951e7bc211d9"),
    ("t", 0, 0, 5000, "cf82b56ccbcf529d90b65f488416ef72f6b03fa50ca60157ba76e1abdf8b148c"),
    ("t", 1, 1, 9000, "ebe5890024bafed0a4322e13bf70b600a58d7ae9df8532c7a993210394b88563"),
    ("o", 1, 0, 7, "57355ac3303c148f11aef7cb179456b9232cde33a818dfda2c2fcb9325749a6b"),
    ("o", 1, 1, 13, "61dc59e4c0218cce9a9e74033ffefc37a2bdecbd9146ccfae4b3d39dd59fa90c"),
    ("o", 0, 1, 4096, "665cf134e449a6614db96ae6e2fdd2dad448ad4db84d1e64fc6afc45ee08b20c"),
    ("o", 1, 0, 5000, "9bd3dd31390dd5210c3e47c931ed156c0ff88a47bb5c7bf0d90f66b766281b72"),
    ("o", 0, 0, 9000, "715d8316178ac575983abf2973e8890b343cd25c89280676468e7e53637b2e9e"),
    ("o", 1, 1, 9000, "4de0271565b70e2ba89d9a0fa35290acd78c34258f41984efd30cba4e377a04f"),
    ("i", 1, 1, 1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
    ("i", 0, 1, 13, "46b92cea842bb5155d3ea6e21d600dbc6cf025577813de6ec5c070a95bb81251"),
    ("i", 1, 0, 100, "cfce3ef5e6c3d8887cc8de5258d8a59fb7fdf4ca83403536647fa61df2ba2b76"),
    ("i", 0, 1, 5000, "d7757054138d6d4d1784064c47e9b58a2f109ce791422868b27c3650a2ea6d47"),
    ("i", 0, 0, 9000, "7b6fd628f4d8f079b1739bc6b7c44343879fa1e243ee1c9407e7e16718d26c64"),
    ("i", 1, 1, 9000, "d9ccca77e70ee80537fb6ef64344926a6e952100e2f95643d11ef8d3fae6581d"),
    ("r", 0, 0, 7, "57355ac3303c148f11aef7cb179456b9232cde33a818dfda2c2fcb9325749a6b"),
    ("r", 0, 0, 8, "fce29dfefca48287757a2a6a6ef8b94a9b4b7d7872297335f8598ce86be068da"),
    ("r", 1, 0, 13, "9dc6fa327c5282f9b031057ce7517c5c05283220c8d82b87d4fa7763e1e4e068"),
    ("r", 1, 1, 4096, "10644799c5f21976fb66a2d703d8f53e56929eb3fb0e84802d4f5e1c6db02e46"),
    ("r", 0, 1, 5000, "93172ee9058d0c17fafd518313932e487dc04ebce03506383f7d5a038063d5c3"),
    ("r", 1, 1, 9000, "6614cbaeb95687007dcd2b660218a087698dfae0967e2b54fd5d3e46cd37a493"),
];

fn pattern(packet: Packet, data_offset: u64, bytes: usize) -> Pattern {
    Pattern::new(packet, data_offset, u64::try_from(bytes).expect("a size"))
}

fn filled(pattern: &Pattern, bytes: usize, rank: u64, item: u64) -> Vec<u8> {
    let mut buf = vec![0xaa; bytes];
    pattern.fill(&mut buf, rank, item);
    buf
}

fn word(buf: &[u8], index: usize) -> u64 {
    u64::from_le_bytes(*buf[index * WORD..].first_chunk().expect("a whole word"))
}

#[test]
fn bytes_are_those_recorded() {
    for (name, rank, item, bytes, sha256) in RECORDED {
        let packet = Packet::from_name(name).expect("a packet");
        let buf = filled(&pattern(packet, 5, bytes), bytes, rank, item);
        let digest = Sha256::digest(&buf);
        let hex = digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        assert_eq!(hex, sha256, "{name} rank {rank} item {item} bytes {bytes}");
    }
}

#[test]
fn names_are_exact() {
    for packet in PACKETS {
        assert_eq!(Packet::from_name(packet.name()), Some(packet));
        assert_eq!(Packet::from_name(&packet.name()[..1]), Some(packet));
    }
    for name in ["", "T", "time", "Random", "o ", "x"] {
        assert_eq!(Packet::from_name(name), None, "{name}");
    }
}

/// Printed by a C program that calls glibc's `rand_r` three times from each seed.
#[test]
fn rand_r_is_that_of_glibc() {
    let expected = [
        (0, [1_012_484, 1_716_955_679, 1_792_309_082]),
        (5, [234_104_184, 1_214_203_244, 1_803_669_308]),
        (1000, [1_781_276_205, 2_086_580_950, 1_872_704_549]),
        (0x7fff_ffff, [1_670_702_726, 99_100_226, 931_463_008]),
        (0x8000_0000, [1_012_484, 1_716_955_679, 1_792_309_082]),
        (0xffff_ffff, [1_670_702_726, 99_100_226, 931_463_008]),
        (0xdead_beef, [1_075_635_910, 1_410_355_045, 390_111_939]),
    ];
    for (seed, values) in expected {
        for above in [0, 1 << 32, u64::MAX << 32] {
            let mut state = above | seed;
            assert_eq!([(); 3].map(|()| rand_r(&mut state)), values, "seed {seed}");
        }
    }
}

#[test]
fn words_follow_the_rule_beyond_what_is_recorded() {
    let buf = filled(&pattern(Packet::Offset, 7, 9003), 9003, 3, 0x9000_0001);
    let words = [0, 1, 511, 512, 513, 1024].map(|index| word(&buf, index));
    let high = 3 << 32;
    let low = [0x9000_0001, 8, 518, 0x2000_0002, 520, 0xb000_0003];
    assert_eq!(words, low.map(|low| high | low));

    // A number of more than 32 bits is or-ed over the rank, and wraps at 64.
    let buf = filled(&pattern(Packet::Timestamp, u64::MAX, 16), 16, 3, 0);
    assert_eq!([word(&buf, 0), word(&buf, 1)], [u64::MAX, high]);
}

#[test]
fn refresh_equals_fill() {
    for packet in PACKETS {
        for bytes in SIZES {
            let pattern = pattern(packet, 5, bytes);
            for prefix in [bytes, bytes / 2, bytes.min(4099)] {
                let mut buf = filled(&pattern, prefix, 3, 0);
                for item in [1, 2, 77, u64::MAX, 0] {
                    pattern.refresh(&mut buf, 3, item);
                    assert_eq!(buf, filled(&pattern, prefix, 3, item), "{packet:?} {bytes} {prefix} {item}");
                }
            }
        }
    }
}

#[test]
fn any_flipped_bit_is_found() {
    // Every bit of a small file; of one with two blocks every seventh, which touches every byte.
    for (packet, (bytes, step)) in
        PACKETS.into_iter().flat_map(|packet| [(packet, (101, 1)), (packet, (4123, 7))])
    {
        let pattern = pattern(packet, 5, bytes);
        let mut buf = filled(&pattern, bytes, 2, 9);
        assert!(pattern.matches(&buf, 2, 9));
        for bit in (0..bytes * 8).step_by(step) {
            buf[bit / 8] ^= 1 << (bit % 8);
            assert!(!pattern.matches(&buf, 2, 9), "{packet:?} {bytes} bit {bit}");
            buf[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn a_prefix_is_held_to_the_whole_file() {
    for packet in PACKETS {
        let pattern = pattern(packet, 5, 4123);
        let whole = filled(&pattern, 4123, 2, 9);
        for len in 0..=whole.len() {
            assert_eq!(filled(&pattern, len, 2, 9), whole[..len], "{packet:?} {len}");
            assert!(pattern.matches(&whole[..len], 2, 9), "{packet:?} {len}");
            assert!(pattern.matches_any(&whole[..len], 3, 9), "{packet:?} {len}");
        }
        // The last bytes of a cut word are checked too.
        let mut cut = whole[..4101].to_vec();
        cut[4100] ^= 1;
        assert!(!pattern.matches(&cut, 2, 9), "{packet:?}");
    }
}

#[test]
fn another_rank_or_item_is_told_apart() {
    for packet in PACKETS {
        let pattern = pattern(packet, 5, 100);
        let buf = filled(&pattern, 100, 2, 9);
        assert!(!pattern.matches(&buf, 3, 9), "{packet:?}");
        assert_eq!(pattern.matches(&buf, 2, 8), packet == Packet::Timestamp, "{packet:?}");
    }
}

#[test]
fn any_writer_of_a_shared_file_will_do() {
    // The second number hides the ranks of `t`; a prefix of 5 bytes hides all or part of any.
    for (packet, data_offset) in PACKETS.into_iter().flat_map(|packet| [(packet, 5), (packet, 1 << 33)]) {
        let pattern = pattern(packet, data_offset, 4123);
        for rank in 0..8 {
            let mut buf = filled(&pattern, 4123, rank, 9);
            assert!(pattern.matches_any(&buf, 8, 9), "{packet:?} {rank}");
            assert!(pattern.matches_any(&buf[..5], 8, 9), "{packet:?} {rank}");
            for spot in [4000, 4122] {
                buf[spot] ^= 0x10;
                assert!(!pattern.matches_any(&buf, 8, 9), "{packet:?} {rank} {spot}");
                buf[spot] ^= 0x10;
            }
        }
        let stranger = filled(&pattern, 4123, 8, 9);
        assert!(!pattern.matches_any(&stranger, 8, 9), "{packet:?}");
        assert!(!pattern.matches_any(&stranger, 0, 9), "{packet:?}");
    }
}

#[test]
fn extremes_do_not_panic() {
    for packet in PACKETS {
        for bytes in SIZES {
            let pattern = pattern(packet, u64::MAX, bytes);
            let buf = filled(&pattern, bytes, u64::MAX, u64::MAX);
            assert!(pattern.matches(&buf, u64::MAX, u64::MAX), "{packet:?} {bytes}");
            assert!(pattern.matches(&buf, u64::from(u32::MAX), u64::MAX), "{packet:?} {bytes}");
        }
        let endless = Pattern::new(packet, 5, u64::MAX);
        assert!(endless.matches(&filled(&endless, 5000, 1, 1), 1, 1), "{packet:?}");
    }
}
