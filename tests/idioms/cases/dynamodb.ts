import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";

const client = new DynamoDBClient({});
const docClient = DynamoDBDocumentClient.from(client);

export async function page(id: number) {
  const user = await docClient.send(new GetCommand({ TableName: "users", Key: { id } }));
  const posts = await docClient.send(
    new QueryCommand({
      TableName: "posts",
      KeyConditionExpression: "authorId = :id",
      ExpressionAttributeValues: { ":id": id },
    }),
  );
  return { user: user.Item, posts: posts.Items };
}
