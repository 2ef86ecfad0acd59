import "reflect-metadata";
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from "typeorm";

@Entity("users")
export class User {
  @PrimaryColumn()
  id: number;

  @Column()
  name: string;
}

@Entity("posts")
export class Post {
  @PrimaryColumn()
  id: number;

  @Column()
  title: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: "author_id" })
  author: User;
}
