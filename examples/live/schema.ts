/** The tables: todos, and every change of them with a number. */

/*
 *   insert, update, delete of todos ──► trigger ──► changes (id, kind, todo)     kept for as long as clients may be away
 *                                          └──────► NOTIFY changes               wakes the API processes: the table tells
 *
 * A number that is taken from a sequence is visible only when its transaction is committed: number 7 may be there before
 * number 6. Whoever has read up to 7 would miss 6 for ever. So writers take turns from their first number to their commit.
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

create function number_change() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1);
  if tg_op = 'DELETE' then
    old.version := nextval('change_numbers');
    insert into changes (id, kind, todo) values (old.version, tg_op, to_jsonb(old) - 'key');
    perform pg_notify('changes', '');
    return old;
  end if;
  new.version := nextval('change_numbers');
  insert into changes (id, kind, todo) values (new.version, tg_op, to_jsonb(new) - 'key');
  perform pg_notify('changes', '');
  return new;
end $$;

create trigger number_change before insert or update or delete on todos
  for each row execute function number_change();
`;

/** How many changes are kept for clients that were away. */
export const KEPT = 10_000;
