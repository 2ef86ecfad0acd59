import type { ComponentChildren } from "preact";

/** What narrows a table. Enter must not load the page again. */
export function Filters({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <form
      class="filters"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      {children}
    </form>
  );
}

interface SearchProps {
  readonly text: string;
  readonly search: (text: string) => void;
  readonly placeholder: string;
}

/** A field for what is looked for. */
export function Search({ text, search, placeholder }: SearchProps) {
  return (
    <label class="grow">
      <span>Search</span>
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        onInput={(event) => {
          search(event.currentTarget.value);
        }}
      />
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

/** A list to choose one from. */
export function Choice<Value extends string>({ name, choices, value, choose }: ChoiceProps<Value>) {
  return (
    <label>
      <span>{name}</span>
      <select
        value={value}
        onChange={(event) => {
          choose(event.currentTarget.value as Value);
        }}
      >
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A few words to choose one from, side by side; `legend` says to those who do not see it what it is about. */
export function Switch<Value extends string>(
  props: ChoiceProps<Value> & { readonly legend: string },
) {
  const { name, choices, value, choose, legend } = props;
  return (
    <fieldset class="switch">
      <legend class="hidden">{legend}</legend>
      {choices.map(([each, text]) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={value === each}
            onChange={() => {
              choose(each);
            }}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface MoreProps {
  /** How many there are at first. */
  readonly first: number;
  readonly total: number;
  readonly isWhole: boolean;
  readonly setWhole: (isWhole: boolean) => void;
}

/** Shows all rows of a table, or the first again. */
export function More({ first, total, isWhole, setWhole }: MoreProps) {
  if (total <= first) return null;
  return (
    <button
      type="button"
      class="more"
      onClick={() => {
        setWhole(!isWhole);
      }}
    >
      {isWhole ? `Show the first ${first}` : `Show all ${total}`}
    </button>
  );
}
