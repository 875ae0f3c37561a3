/** The tables: todos, and every change of them with a number. */

/*
 *   insert, update, delete of todos ──► triggers ─► changes (id, kind, todo)     kept for as long as clients may be away
 *                                          └──────► NOTIFY changes               wakes the API processes: the table tells
 *
 * A number that is taken from a sequence is visible only when its transaction is committed: number 7 may be there before
 * number 6. Whoever has read up to 7 would miss 6 for ever. So writers take turns from their first number to their commit.
 * A change is noted after the row is written: an insert that finds its key in use ("on conflict do nothing") is none.
 */
export const SCHEMA = `
create table todos (
  id bigint generated always as identity primary key,
  key text unique not null,
  title text not null,
  completed boolean not null default false,
  version bigint not null default 0
);
create table changes (
  id bigint primary key,
  kind text not null,
  todo jsonb not null,
  at timestamptz not null default now()
);
create sequence change_numbers;

create function number_todo() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1);
  new.version := nextval('change_numbers');
  return new;
end $$;
create trigger number_todo before insert or update on todos
  for each row execute function number_todo();

create function note_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_advisory_xact_lock(1);
    old.version := nextval('change_numbers');
    insert into changes (id, kind, todo) values (old.version, tg_op, to_jsonb(old) - 'key');
  else
    insert into changes (id, kind, todo) values (new.version, tg_op, to_jsonb(new) - 'key');
  end if;
  perform pg_notify('changes', '');
  return null;
end $$;
create trigger note_change after insert or update or delete on todos
  for each row execute function note_change();
`;

/** How many changes are kept for clients that were away. */
export const KEPT = 10_000;
