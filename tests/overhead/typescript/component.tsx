/** @jsx make */
// TypeScript with elements in it.
declare global {
  namespace JSX {
    interface IntrinsicElements {
      readonly item: { readonly name: string };
    }
    type Element = string;
  }
}

function make(tag: string, props: { readonly name: string }): string {
  return `${tag}:${props.name}`;
}

async function nameOf(n: number): Promise<string> {
  return `n${String(n)}`;
}

export async function list(count: number): Promise<string[]> {
  const all: string[] = [];
  for (let n = 0; n < count; n++) all.push(<item name={await nameOf(n)} />);
  return all;
}
