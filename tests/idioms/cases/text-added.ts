const api = process.env.API_URL;

async function section(name: string) {
  const response = await fetch(`${api}/${name}/`);
  return `## ${name}\n\n${JSON.stringify(await response.json())}\n\n`;
}

export async function page() {
  let md = "# Report\n\n";
  md += await section("users");
  md += await section("posts");
  return md;
}
