import type { Site, VerifyResult } from "../result.js";
import { Choice, Filters as Form, Search } from "../shared/controls.js";
import type { Filter, Group, Level, Order } from "./judged.js";

const GROUPS: readonly (readonly [Group | "all", string])[] = [
  ["all", "All tests"],
  ["faster", "Faster"],
  ["slower", "Slower"],
  ["unclear", "No clear change"],
  ["clock", "Too short for the clock"],
];

const ORDERS: readonly (readonly [Order, string])[] = [
  ["suite", "Suite"],
  ["faster", "Most saved"],
  ["slower", "Most lost"],
  ["longest", "Longest"],
];

const LEVELS: readonly (readonly [Level, string])[] = [
  ["corrected", "Corrected"],
  ["paper", "As in the paper"],
];

interface FiltersProps {
  readonly result: VerifyResult;
  readonly level: Level;
  readonly setLevel: (level: Level) => void;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}

/** What narrows the tests that are shown. */
export function Filters({ result, level, setLevel, filter, setFilter }: FiltersProps) {
  const change = (part: Partial<Filter>) => {
    setFilter({ ...filter, ...part });
  };
  const set =
    <Key extends keyof Filter>(key: Key) =>
    (value: Filter[Key]) => {
      change({ [key]: value });
    };
  const setSite = (site: string) => {
    change({ site: site === "" ? null : Number(site) });
  };
  return (
    <Form label="Filter the tests">
      <Search text={filter.text} search={set("text")} placeholder="Name or file" />
      <Choice name="Show" choices={GROUPS} value={filter.group} choose={set("group")} />
      {result.sites.length > 1 && (
        <Choice
          name="Place"
          choices={places(result.sites)}
          value={String(filter.site ?? "")}
          choose={setSite}
        />
      )}
      <Choice name="Order" choices={ORDERS} value={filter.order} choose={set("order")} />
      <Choice name="Significance" choices={LEVELS} value={level} choose={setLevel} />
    </Form>
  );
}

function places(sites: readonly Site[]): (readonly [string, string])[] {
  return [
    ["", "All places"],
    ...sites.map(({ id, file, line }) => [String(id), `${file}:${line}`] as const),
  ];
}
