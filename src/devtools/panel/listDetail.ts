/** The detail of one list or map: its members, and the records made of it. */
import type { Controller } from '../../Controller.ts';
import { contextOf } from '../../request/FetchContext.ts';
import { ListRecord } from '../../store/lists/ListRecord.ts';
import type { StoredList } from '../../store/lists/StoredList.ts';
import { recordName } from '../plain.ts';
import { readersOf } from '../why.ts';
import { heading, holderList, placeLink, section } from './parts.ts';
import type { RecordPlaces } from './RecordPlaces.ts';
import { h } from './VNode.ts';
import type { Child } from './VNode.ts';
import { formatCount } from './formatAge.ts';

// how many members are listed
const MOST = 200;

export function listDetail(
  controller: Controller,
  places: RecordPlaces,
  record: StoredList,
): readonly Child[] {
  const { store } = contextOf(controller);
  const all = record instanceof ListRecord ? record.members : record.entries?.values();
  const members = [...(all ?? [])];
  const shownIn = holderList(readersOf(record, store));
  const links = members
    .slice(0, MOST)
    .map((member) => placeLink(recordName(member), places.of(member)));
  const more = members.length > MOST ? ` and ${members.length - MOST} more` : undefined;
  return [
    heading(recordName(record)),
    section(formatCount(members.length, 'member'), h('p', { class: 'members' }, ...links), more),
    shownIn === undefined ? section('', 'Nothing shows it.') : section('Shown in', shownIn),
  ];
}
