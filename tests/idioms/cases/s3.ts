import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({});

export async function page(id: number) {
  const list = await s3.send(new ListObjectsV2Command({ Bucket: "pages", Prefix: `${id}/` }));
  const index = await s3.send(new GetObjectCommand({ Bucket: "pages", Key: "index" }));
  return { list, index };
}
