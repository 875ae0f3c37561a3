/**
 * Records of several kinds 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, Union } from 'signalbox';

const urlPrefix = 'https://kinds.invalid';

export interface RecordType {
  id: number;
}

/** Another name. */
export type Recorded = RecordType;

export interface Marked {
  id: number;
  kind?: string;
}

export interface BaseEvent {
  id: number;
  type: string;
}

export type ErrorType = 'error' | 'fatal';

export type CarType = 'coupe' | 'van';

export type BikeType = 'bicycle';

export type SledType = string;

export interface Identified {
  id: number;
}

export class Beat extends Entity {
  id = 0;
  kind = 'Beat' as const;

  static override key = 'Beat';
}

export class Alarm extends Entity {
  id = 0;
  kind = 'Alarm' as const;

  static override key = 'Alarm';
}

export class Call extends Entity {
  id = 0;
  kind = 'Call' as const;
  number?: string;

  static override key = 'Call';
}

export class BaseSignal extends Entity {
  id = 0;
  kind = 'Signal' as const;

  static override key = 'BaseSignal';
}

export const Signal = new Union({ Beat, Alarm, Call, Signal: BaseSignal }, 'kind');
export type Signal = Beat | Alarm | Call | BaseSignal;

export class Visit extends Entity {
  id = 0;
  state = 'open' as const;
  page?: string;

  static override key = 'Visit';
}

export class Farewell extends Entity {
  id = 0;
  state = 'gone' as const;

  static override key = 'Farewell';
}

export const Session = new Union({ open: Visit, gone: Farewell }, 'state');
export type Session = Visit | Farewell;

export class LoginEvent extends Entity {
  id = 0;
  type = 'login' as const;
  user?: string;

  static override key = 'LoginEvent';
}

export class LogoutEvent extends Entity {
  id = 0;
  type = 'logout' as const;
  after?: number;

  static override key = 'LogoutEvent';
}

export class ErrorEvent extends Entity {
  id = 0;
  type: 'error' | 'fatal' = 'error';
  reason?: string;

  static override key = 'ErrorEvent';
}

export const Event = new Union(
  { login: LoginEvent, logout: LogoutEvent, error: ErrorEvent, fatal: ErrorEvent },
  'type',
);
export type Event = LoginEvent | LogoutEvent | ErrorEvent;

export class Circle extends Entity {
  id = 0;
  form = 'round' as const;
  radius?: number;

  static override key = 'Circle';
}

export class Square extends Entity {
  id = 0;
  form = 'four' as const;
  side?: number;

  static override key = 'Square';
}

export class Line extends Entity {
  id = 0;
  form = 'long' as const;
  length?: number;

  static override key = 'Line';
}

export class Dot extends Entity {
  id = 0;
  form = 'dot' as const;

  static override key = 'Dot';
}

export const Shape = new Union({ round: Circle, four: Square, long: Line, dot: Dot }, 'form');
export type Shape = Circle | Square | Line | Dot;

export class Dog extends Entity {
  id = 0;
  species = 'dog' as const;
  tricks?: number;

  static override key = 'Dog';
}

export class Cat extends Entity {
  id = 0;
  species = 'cat' as const;
  lives?: number;

  static override key = 'Cat';
}

export class Kitten extends Entity {
  id = 0;
  species = 'kitten' as const;
  lives?: number;
  weeks?: number;

  static override key = 'Kitten';
}

export const Animal = new Union({ dog: Dog, cat: Cat, kitten: Kitten }, 'species');
export type Animal = Dog | Cat | Kitten;

export class TextMessage extends Entity {
  id = 0;
  kind = 1 as const;
  text?: string;

  static override key = 'TextMessage';
}

export class FileMessage extends Entity {
  id = 0;
  kind = 2 as const;
  size?: number;

  static override key = 'FileMessage';
}

export const Message = new Union({ '1': TextMessage, '2': FileMessage }, 'kind');
export type Message = TextMessage | FileMessage;

export class Good extends Entity {
  id = 0;
  tone = 'good' as const;

  static override key = 'Good';
}

export class Loud extends Entity {
  id = 0;
  tone = 'loud' as const;

  static override key = 'Loud';
}

export class Quiet extends Entity {
  id = 0;
  tone = 'quiet' as const;

  static override key = 'Quiet';
}

export const Bad = new Union({ loud: Loud, quiet: Quiet }, 'tone');
export type Bad = Loud | Quiet;

export const Notice = new Union({ good: Good, loud: Loud, quiet: Quiet }, 'tone');
export type Notice = Good | Bad;

export class BaseNode extends Entity {
  id = 0;
  type = 'node' as const;
  parent: Node | null = null;

  static override key = 'BaseNode';
}

export class LeafNode extends Entity {
  id = 0;
  type = 'leaf' as const;
  parent: Node | null = null;
  color?: string;

  static override key = 'LeafNode';
}

export const Node = new Union({ node: BaseNode, leaf: LeafNode }, 'type');
export type Node = BaseNode | LeafNode;

export class Draft extends Entity {
  id = 0;
  type = 'Draft' as const;
  until?: Date;

  static override key = 'Draft';
  static override schema = { until: Date };
}

export class BasePage extends Entity {
  id = 0;
  type = 'Page' as const;

  static override key = 'BasePage';
}

export const Page = new Union({ Draft, Page: BasePage }, 'type');
export type Page = Draft | BasePage;

export class Heading extends Entity {
  id = 0;
  type = 'head' as const;
  level?: number;

  static override key = 'Heading';
}

export class BaseEntry extends Entity {
  id = 0;
  type = 'line' as const;

  static override key = 'BaseEntry';
}

export const Entry = new Union({ head: Heading, line: BaseEntry }, 'type');
export type Entry = Heading | BaseEntry;

export class Chord extends Entity {
  id = 0;
  type = 'chord' as const;
  size?: number;

  static override key = 'Chord';
}

export class BaseTone extends Entity {
  id = 0;
  type = 'tone' as const;

  static override key = 'BaseTone';
}

export const Tone = new Union({ tone: BaseTone, chord: Chord }, 'type');
export type Tone = Chord | BaseTone;

export class Car extends Entity {
  id = 0;
  /** One of many. */
  type: 'coupe' | 'van' = 'coupe';

  static override key = 'Car';
}

export class Bike extends Entity {
  id = 0;
  type = 'bicycle' as const;

  static override key = 'Bike';
}

export class Ship extends Entity {
  id = 0;
  type: 'ferry' | 'liner' = 'ferry';

  static override key = 'Ship';
}

export class Sled extends Entity {
  id = 0;
  type = 'sledge' as const;

  static override key = 'Sled';
}

export const Vehicle = new Union(
  { coupe: Car, van: Car, bicycle: Bike, ferry: Ship, liner: Ship, sledge: Sled },
  'type',
);
export type Vehicle = Car | Bike | Ship | Sled;

export class Firm extends Entity {
  id = 0;
  kind = 'firm' as const;
  tax?: string;
  since?: Date;

  static override key = 'Firm';
  static override schema = { since: Date };
}

export class Trust extends Entity {
  id = 0;
  kind = 'trust' as const;
  tax?: string;
  owner: Legal | null = null;

  static override key = 'Trust';
}

export class Person extends Entity {
  id = 0;
  kind = 'person' as const;
  born?: Date;

  static override key = 'Person';
  static override schema = { born: Date };
}

export const Party = new Union({ firm: Firm, trust: Trust, person: Person }, 'kind');
export type Party = Firm | Trust | Person;

export class Oval extends Entity {
  id = 0;
  form = 'oval' as const;
  drawn?: Date;

  static override key = 'Oval';
  static override schema = { drawn: Date };
}

export class Cube extends Entity {
  id = 0;
  form = 'cube' as const;
  edge?: number;

  static override key = 'Cube';
}

export const Figure = new Union({ oval: Oval, cube: Cube }, 'form');
export type Figure = Oval | Cube;

export const Legal = new Union({ firm: Firm, trust: Trust }, 'kind');
export type Legal = Firm | Trust;

BaseNode.schema = { parent: Node };

LeafNode.schema = { parent: Node };

Trust.schema = { owner: Legal };

const eventResource = createResource({ urlPrefix, path: '/events/:id', schema: Event });

/** The description has no get, create, update, partialUpdate, delete. */
export const EventResource = { getList: eventResource.getList };

const shapeResource = createResource({ urlPrefix, path: '/shapes/:id', schema: Shape });

/** The description has no get, create, update, partialUpdate, delete. */
export const ShapeResource = { getList: shapeResource.getList };

const animalResource = createResource({ urlPrefix, path: '/animals/:id', schema: Animal });

/** The description has no get, create, update, partialUpdate, delete. */
export const AnimalResource = { getList: animalResource.getList };

const messageResource = createResource({ urlPrefix, path: '/messages/:id', schema: Message });

/** The description has no get, create, update, partialUpdate, delete. */
export const MessageResource = { getList: messageResource.getList };

const noticeResource = createResource({ urlPrefix, path: '/notices/:id', schema: Notice });

/** The description has no get, create, update, partialUpdate, delete. */
export const NoticeResource = { getList: noticeResource.getList };

const sessionResource = createResource({ urlPrefix, path: '/sessions/:id', schema: Session });

/** The description has no get, create, update, partialUpdate, delete. */
export const SessionResource = { getList: sessionResource.getList };

const nodeResource = createResource({ urlPrefix, path: '/nodes/:id', schema: Node });

/** The description has no get, create, update, partialUpdate, delete. */
export const NodeResource = { getList: nodeResource.getList };

const pageResource = createResource({ urlPrefix, path: '/pages/:id', schema: Page });

/** The description has no get, create, update, partialUpdate, delete. */
export const PageResource = { getList: pageResource.getList };

const entryResource = createResource({ urlPrefix, path: '/entries/:id', schema: Entry });

/** The description has no get, create, update, partialUpdate, delete. */
export const EntryResource = { getList: entryResource.getList };

const toneResource = createResource({ urlPrefix, path: '/tones/:id', schema: Tone });

/** The description has no get, create, update, partialUpdate, delete. */
export const ToneResource = { getList: toneResource.getList };

const vehicleResource = createResource({ urlPrefix, path: '/vehicles/:id', schema: Vehicle });

/** The description has no get, create, update, partialUpdate, delete. */
export const VehicleResource = { getList: vehicleResource.getList };

const partyResource = createResource({ urlPrefix, path: '/parties/:id', schema: Party });

/** The description has no get, create, update, partialUpdate, delete. */
export const PartyResource = { getList: partyResource.getList };

const legalResource = createResource({ urlPrefix, path: '/legals/:id', schema: Legal });

/** The description has no get, create, update, partialUpdate, delete. */
export const LegalResource = { getList: legalResource.getList };

const figureResource = createResource({ urlPrefix, path: '/figures/:id', schema: Figure });

/** The description has no get, create, update, partialUpdate, delete. */
export const FigureResource = { getList: figureResource.getList };

const signalResource = createResource({ urlPrefix, path: '/signals/:id', schema: Signal });

/** The description has no get, create, update, partialUpdate, delete. */
export const SignalResource = { getList: signalResource.getList };
