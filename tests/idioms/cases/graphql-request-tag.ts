import { gql, request } from "graphql-request";

const endpoint = process.env.API_URL;
const USERS = gql`
  query user($id: ID!) {
    users(id: $id) {
      name
    }
  }
`;
const POSTS = gql`
  {
    posts {
      title
    }
  }
`;

export async function page(id: number) {
  const users = await request(endpoint, USERS, { id });
  const posts = await request(endpoint, POSTS);
  return { users, posts };
}
