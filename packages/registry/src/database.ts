import type { IndexEntry } from './index-entry.js'

export type Value = string | number | null | Uint8Array

/** Sends a statement with the parameters `?1`, `?2` and so on, and returns the rows. */
export type Ask = <Row>(statement: string, values?: readonly Value[]) => Promise<readonly Row[]>

/** Which words of a skill: all, or those outside of its body. */
export type Words = 'every' | 'heads'

/**
 * Database of a registry. The statements that both databases understand are in `skill-registry.ts` and `search.ts`;
 * this interface has those in which they differ, above all the index of words.
 */
export interface Database {
  /** Reads. What a transaction has not committed yet is not seen. */
  readonly ask: Ask
  /**
   * Runs a transaction, which writes everything or nothing. Transactions of all processes run one after the other if
   * they would change the same rows.
   */
  transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T>
  /** Returns a subquery of the values in a parameter, a list as JSON. */
  listed(parameter: string, type: 'int' | 'text'): string
  /**
   * Returns for each group of stems the skills that have one of them, at most `most`.
   * @param prefix beginning of the skills' names; empty for all
   */
  skillsWith(
    words: Words,
    groups: readonly (readonly string[])[],
    most: number,
    prefix: string,
  ): Promise<readonly (readonly number[])[]>
  close(): Promise<void>
}

/** Transaction of a {@link Database}. */
export interface Writing {
  readonly ask: Ask
  /** Suffix of a `select` whose rows the transaction will change. */
  readonly forUpdate: string
  /** Replaces the words of a skill in the index; undefined removes them. */
  putWords(skill: number, entry: IndexEntry | undefined): Promise<void>
  /** Counts again which stems are in many skills, and in how many. */
  countCommon(least: number): Promise<void>
}

/**
 * Returns the statements that make the tables, in order. A migration is never changed, only followed by another, and
 * earlier versions of the program reject a database with one that they do not know.
 * @param types names of the types of bytes, of a number that counts itself, and of text that is ordered by code point
 */
export function migrations(types: {
  readonly bytes: string
  readonly id: string
  readonly name: string
}): readonly string[] {
  const { bytes, id, name } = types
  return [
    `create table skill (id ${id}, full_name ${name} not null unique, look text not null unique,
       namespace text not null, name text not null, current int);
     create index skill_current on skill (full_name) where current is not null;
     create table version (id ${id}, skill int not null, digest text not null, label text, published_at bigint not null,
       publisher text, is_yanked int not null default 0, description text not null, main text not null,
       files text not null, powers text, provenance text, unique (skill, digest), unique (skill, label));
     create index version_digest on version (digest);
     create table tag (skill int not null, tag text not null, version int not null, primary key (skill, tag));
     create table file (digest text primary key, bytes ${bytes} not null);
     create table profile (skill int primary key, profile ${bytes} not null);
     create table whole_name (name text not null, skill int not null, primary key (name, skill));
     create index whole_name_skill on whole_name (skill);
     create table word (word ${name} primary key, stem text not null);
     create table common (stem text primary key, every int not null, heads int not null);
     create table fact (name text primary key, value text not null);
     insert into fact values ('index', '{"skills":0,"lengths":[0,0,0,0,0,0,0],"filled":[0,0,0,0,0,0,0],"changes":0}')`,
  ]
}
