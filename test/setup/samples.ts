/** The sample classes that several tests use. A test that needs other members declares a class of its own. */
import { Entity } from 'signalbox';

export class Todo extends Entity {
  id = 0;
  title = '';
}

export class Task extends Entity {
  id = 0;
  title = '';
}

export class Post extends Entity {
  id = 0;
  title = '';
}

export class Note extends Entity {
  id = 0;
  text = '';
}

export class User extends Entity {
  id = 0;
  name = '';
}

export class Person extends Entity {
  id = 0;
  name = '';
}

export class Project extends Entity {
  id = 0;
  name = '';
}

export class Label extends Entity {
  id = 0;
  name = '';
}
