import { Octokit } from "@octokit/rest";

const octokit = new Octokit({ baseUrl: process.env.API_URL });

export async function page(username: string) {
  const { data: user } = await octokit.rest.users.getByUsername({ username });
  const { data: repos } = await octokit.rest.repos.get({ owner: username, repo: "posts" });
  return { user, repos };
}
