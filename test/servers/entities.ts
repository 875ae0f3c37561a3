// The entities of the test servers, as an application would define them.
import { Entity } from 'signalbox';

export class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  userId = 0;
}

export class Profile extends Entity {
  id = 0;
  name = '';
  bio = '';
}

export class Comment extends Entity {
  id = 0;
  postId = 0;
  name = '';
  body = '';
}

export class Article extends Entity {
  id = 0;
  title = '';
  author = Profile.fromJS();
  contributors: Profile[] = [];
  static override schema = { author: Profile, contributors: [Profile] };
}

export class Birthday extends Entity {
  id = 0;
  name = '';
  date = new Date(0);
  static override schema = { date: Date };
}

export class PaginatedPost extends Entity {
  id = 0;
  title = '';
  userId = 0;
}
