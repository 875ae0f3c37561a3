/**
 * Records of several kinds 1
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { createResource, Entity, Union } from 'signalbox';

const urlPrefix = 'https://kinds.invalid';

export interface BaseEvent {
  id: number;
  type: string;
}

export type ErrorType = 'error' | 'fatal';

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
