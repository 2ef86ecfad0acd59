/** Measures variants side by side: rounds in which each has its turn, so that all see the same machine. */
import { Contestant } from "./contestant.mjs";

/**
 * @param {{id: string, job: () => Promise<object>}[]} entries what runs; `job` may reject where a tool refuses
 * @param {{name: string, node: string, rounds: number, warmMs: number, sampleMs: number}} options
 * @returns {Promise<Map<string, {samples?: number[], fault?: string}>>} nanoseconds a run, by round
 */
export async function race(entries, { name, node, rounds, warmMs, sampleMs }) {
  const results = new Map();
  const racing = new Map();
  const attempt = async (id, action) => {
    try {
      await action();
    } catch (error) {
      results.set(id, { fault: error.message.split("\n")[0] });
      racing.get(id)?.stop();
      racing.delete(id);
    }
  };
  for (const { id, job } of entries) {
    await attempt(id, async () => {
      const contestant = new Contestant(await job(), { name: `${name}-${id}`, node });
      racing.set(id, contestant);
      await contestant.ready;
      await contestant.ask({ warm: warmMs });
    });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [id, contestant] of racing) await attempt(id, () => contestant.sample(sampleMs));
  }
  for (const [id, contestant] of racing) {
    results.set(id, { samples: contestant.samples });
    contestant.stop();
  }
  return results;
}

/** The value below which this part of the numbers lies. */
export function quantile(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
}

/** Ratio of two variants, round by round: the median and the quartiles of the rounds' ratios. */
export function ratio(result, base) {
  if (!result?.samples || !base?.samples) return { fault: result?.fault ?? base?.fault };
  const ratios = result.samples.map((it, round) => it / base.samples[round]);
  return {
    median: quantile(ratios, 0.5),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
  };
}
