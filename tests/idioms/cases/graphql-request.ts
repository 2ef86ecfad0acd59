import { GraphQLClient } from "graphql-request";

const client = new GraphQLClient(process.env.API_URL);

export async function page(id: number) {
  const users = await client.request("query user($id: ID!) { users(id: $id) { name } }", { id });
  const posts = await client.request("{ posts { title } }");
  return { users, posts };
}
