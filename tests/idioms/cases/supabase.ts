import { createClient } from "@supabase/supabase-js";

const supabase = createClient(process.env.SUPABASE_URL, process.env.SUPABASE_KEY);

export async function page(id: number) {
  const { data: user } = await supabase.from("users").select("*").eq("id", id).single();
  const { data: posts } = await supabase.from("posts").select("*").eq("author_id", id);
  return { user, posts };
}
