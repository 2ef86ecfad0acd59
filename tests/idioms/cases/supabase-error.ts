import { createClient } from "@supabase/supabase-js";

const supabase = createClient(process.env.SUPABASE_URL, process.env.SUPABASE_KEY);

export async function page(id: number) {
  const { data: user, error } = await supabase.from("users").select("*").eq("id", id).single();
  if (error) throw error;
  const { data: posts, error: postsError } = await supabase
    .from("posts")
    .select("*")
    .eq("author_id", id);
  if (postsError) throw postsError;
  return { user, posts };
}
