//! What is known of the helpers of compilers.
//!
//! The hashes were taken with `examples/fingerprint.rs` from what the compilers write, in the
//! versions named; `docs/deawait.md` says how to add one.

/// What a helper does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Helper {
    /// TypeScript's `__awaiter(this, arguments, Promise, generator)`.
    Awaiter,
    /// esbuild's `__async(this, arguments, generator)`.
    Async,
    /// Babel's and swc's `asyncToGenerator(generator)`, which gives a function.
    ToGenerator,
    /// TypeScript's and swc's `__generator(this, machine)`.
    Generator,
    /// Babel's generators: an object with `mark` and `wrap`, or `m` and `w`.
    Regenerator,
    /// Babel's function that gives such an object.
    RegeneratorFunction,
}

impl Helper {
    /// Whether waiting through it takes as many ticks as waiting natively.
    pub(crate) fn keeps_ticks(self) -> bool {
        matches!(self, Self::Async | Self::ToGenerator)
    }

    /// What reports call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Awaiter => "__awaiter",
            Self::Async => "__async",
            Self::ToGenerator => "asyncToGenerator",
            Self::Generator => "__generator",
            Self::Regenerator | Self::RegeneratorFunction => "regenerator",
        }
    }
}

/// A hash, the helper that has it, and which of its variables is the function that it needs.
type Known = (u128, Helper, Option<usize>);

/// The helpers.
pub(crate) const KNOWN: &[Known] = &[
    // TypeScript 2.1 to 3.5; TypeScript 3.6 to 6.0 and tslib.
    (0x9fb7_0e0c_3229_4cb0_4a9e_a1dc_ad28_0ec0, Helper::Awaiter, None),
    (0xce71_517c_ad4a_7678_fbdf_16ff_834a_97e2, Helper::Awaiter, None),
    // esbuild 0.14 to 0.28.
    (0xf08a_33eb_8618_a6d5_86b8_7616_333d_105d, Helper::Async, None),
    // Babel 7.0 to 7.23 and swc; Babel 7.24 to 8.1.
    (0x75a7_ca53_6d60_5458_98c7_8e62_4d17_05d3, Helper::ToGenerator, Some(8)),
    (0xdb09_e3b7_c08f_7d0d_428a_8cef_3840_938a, Helper::ToGenerator, Some(7)),
    // TypeScript 2.2 to 4.8, 4.9 to 5.5, 5.6 to 6.0, and tslib; swc, in a file and imported.
    (0xdcd4_5e14_c493_e5e1_800a_ed87_9900_749a, Helper::Generator, None),
    (0xf05b_7a87_e541_1fa7_ca60_2d01_8246_7c9b, Helper::Generator, None),
    (0xa8a5_8b99_6c88_5a74_9b74_c57a_ad6f_6a12, Helper::Generator, None),
    (0x7ee7_f8b1_76d4_7d6f_ac5e_26a9_b333_6904, Helper::Generator, None),
    (0x3146_dc0a_ac66_2162_eec8_ffa1_5e05_c7af, Helper::Generator, None),
    // Babel 7.18, 7.20, 7.22, 7.24 and 7.27; 7.27 to 7.29; 8.
    (0xa41d_edd5_f1e7_60d8_3329_4564_2452_065d, Helper::RegeneratorFunction, None),
    (0x224c_88da_41e5_ca71_da29_8cf0_c99f_3972, Helper::RegeneratorFunction, None),
    (0x8dc7_0667_d946_399e_fdf2_69ca_f3cb_5f0a, Helper::RegeneratorFunction, None),
    (0xf839_5fce_3bc5_daab_6722_7785_3acf_9772, Helper::RegeneratorFunction, None),
    (0xb0a6_58c8_c012_bce4_8e88_b2ea_915b_2457, Helper::RegeneratorFunction, None),
    (0x6e2a_0255_a50f_ca09_e8b7_6d6a_0997_7d1f, Helper::RegeneratorFunction, None),
    (0x8380_0313_efb7_7e16_0509_050f_a8ac_114c, Helper::RegeneratorFunction, None),
];

/// What Babel's and swc's helper needs: `asyncGeneratorStep`.
pub(crate) const STEPS: &[u128] = &[
    // Babel 7.0 to 7.23; Babel 7.24 to 8.1; swc.
    0x3298_bbe0_c628_8216_b0c1_e375_876b_5a1b,
    0x3ebb_13d6_1280_6035_defc_54a2_4aea_f372,
    0x2ed6_2d0a_baaa_2089_2daf_a754_d6c8_78b4,
];

/// The members of a module of helpers.
type Members = &'static [(&'static str, Helper)];

/// Where helpers are imported from.
pub(crate) const MODULES: &[(&[&str], Members)] = &[
    (&["tslib"], &[("__awaiter", Helper::Awaiter), ("__generator", Helper::Generator)]),
    (
        &[
            "@babel/runtime/helpers/asyncToGenerator",
            "@babel/runtime/helpers/esm/asyncToGenerator",
            "@swc/helpers/lib/_async_to_generator",
            "@swc/helpers/src/_async_to_generator.mjs",
        ],
        &[("default", Helper::ToGenerator)],
    ),
    (
        &[
            "@swc/helpers/_/_async_to_generator",
            "@swc/helpers/esm/_async_to_generator",
            "@swc/helpers/cjs/_async_to_generator.cjs",
        ],
        &[("_", Helper::ToGenerator), ("default", Helper::ToGenerator)],
    ),
    (
        &[
            "@swc/helpers/_/_ts_generator",
            "@swc/helpers/esm/_ts_generator",
            "@swc/helpers/cjs/_ts_generator.cjs",
        ],
        &[("_", Helper::Generator)],
    ),
    (
        &["@swc/helpers"],
        &[
            ("asyncToGenerator", Helper::ToGenerator),
            ("_async_to_generator", Helper::ToGenerator),
            ("_ts_generator", Helper::Generator),
        ],
    ),
    (&["@babel/runtime/regenerator", "regenerator-runtime"], &[("default", Helper::Regenerator)]),
    (
        &["@babel/runtime/helpers/regenerator", "@babel/runtime/helpers/esm/regenerator"],
        &[("default", Helper::RegeneratorFunction)],
    ),
    (
        &[
            "@babel/runtime/helpers/regeneratorRuntime",
            "@babel/runtime/helpers/esm/regeneratorRuntime",
        ],
        &[("default", Helper::RegeneratorFunction)],
    ),
];
