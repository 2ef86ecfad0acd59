// Functions that ask for the conversion: their types follow from what they do.
export async function name(id?: string) {
  "perhaps async";
  if (!id) return undefined;
  const found = await look(id);
  return found;
}

async function look(id: string): Promise<string> {
  return id;
}

export async function user(id: string) {
  "perhaps async";
  return { n: await look(id) };
}

export const label = async (id: number, text = String(id), more?: readonly string[]) => {
  "perhaps async";
  const found = [text, ...(more ?? [])];
  for (const it of found) await look(it);
  return found.length > 0 ? found : null;
};

export class Names {
  readonly #known = new Map<string, string>();

  async first(id: string) {
    "perhaps async";
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    return await look(id);
  }
}

export async function all(ids: readonly string[], prefix: string = String(ids.length), last?: number) {
  "perhaps async";
  const found = [];
  for (const id of ids) found.push(await look(prefix + id + String(last ?? "")));
  return found;
}
