/** A field of a message of Protocol Buffers: its number and its value, which may be a message itself. */
type Field = readonly [number, number | string | readonly Field[]];

/**
 * What the browser's tracing service is to do: as a message `TraceConfig` of Perfetto in base 64. Set here by hand since
 * Chromium's own form of it cannot say that the CPU time of a thread is not to be asked for at each event, which takes
 * longer than all the rest.
 *
 * @param categories those of events to record
 * @param size the most that is kept, in KiB; what comes after that is dropped
 */
export function traceConfig(categories: readonly string[], size: number): string {
  const events: Field[] = [
    // All categories are off but for those that follow.
    [1, "*"],
    ...["__metadata", ...categories].map((category): Field => [2, category]),
    // Nanoseconds of a unit of time.
    [6, 1],
  ];
  // What the service itself has to say goes elsewhere, so that it is never dropped.
  const buffers: Field[] = [size, 256].map((kilobytes): Field => {
    return [
      1,
      [
        [1, kilobytes],
        [4, DISCARD],
      ],
    ];
  });
  const source: Field = [
    1,
    [
      [1, "track_event"],
      [2, 0],
      [113, events],
    ],
  ];
  const metadata: Field = [
    1,
    [
      [1, "org.chromium.trace_metadata2"],
      [2, 1],
    ],
  ];
  const fields: Field[] = [
    ...buffers,
    [2, [source]],
    [2, [metadata]],
    // The clock is the monotonic one.
    [20, [[5, 3]]],
    // Milliseconds after which abbreviations are introduced again.
    [21, [[1, 5000]]],
  ];
  return Buffer.from(message(fields)).toString("base64");
}

/** What happens when a buffer is full: the rest is dropped. */
const DISCARD = 2;

function message(fields: readonly Field[]): number[] {
  return fields.flatMap(([number, value]) => {
    if (typeof value === "number") return [...varint(number * 8), ...varint(value)];
    const bytes = typeof value === "string" ? [...Buffer.from(value)] : message(value);
    return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
  });
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
