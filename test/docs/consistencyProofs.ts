// Maps each line of docs/consistency.md to the title of the test that proves the line, without the rule's id.
export const proofs: readonly (readonly [situation: string, title: string])[] = [
  // Reads and pushes
  [
    'two reads overtake each other',
    'of two reads the one issued later wins, in any order of responses',
  ],
  [
    'an older response has a field that nothing newer wrote',
    'an older response still writes the fields that no newer response wrote',
  ],
  [
    'a push (`set`) arrives while a read is in flight',
    'data written by set have the time of the call: a read issued before does not replace them',
  ],
  [
    'the same data are received again',
    'an identical refetch notifies no reader, changes no reference and writes no signal',
  ],
  ['one response changes many things', 'no reader sees a mix of two commits'],
  ['an entity is shown in several places', 'the same entity is the same reference everywhere'],
  [
    'several readers request one key',
    'concurrent reads of one key share one request and one promise',
  ],
  [
    'a Query function or a listener throws',
    'a response is stored although its Query throws, and only its caller and reader get the error',
  ],
  [
    'a read is rejected or gets no response',
    'a failed request of a page leaves the list unchanged',
  ],
  [
    'a read of an entity or a list has an empty response (null, 204, no body)',
    'an empty response to a read of … keeps the stored data',
  ],
  [
    'a response to a read is unreadable (HTML with status 200, truncated JSON)',
    'a refetch answered with … keeps the stored data and sets the error',
  ],
  [
    'the response to a mutation is empty or unreadable',
    'a mutation whose response is … is sent once',
  ],
  // Entities that several responses know in part
  [
    'a list contained the row without a declared field',
    'a detail of a row without `…` is pending until its own response',
  ],
  [
    'the same, with `returnPartialData`',
    'returnPartialData of the … shows the known fields and fetches the others',
  ],
  [
    'several responses together contained all fields',
    'several responses together complete an entity and notify its readers',
  ],
  [
    "the detail's own response leaves a field out",
    'the own response completes a detail, even if fields are missing',
  ],
  ['a later list has fewer fields', 'a later list without some fields removes no stored field'],
  [
    'the entity is deleted, and received again with fewer fields',
    'an entity deleted and received again with fewer fields is incomplete, even after its detail',
  ],
  [
    'only a pending creation has the entity',
    'the entity of a pending creation is complete: a detail sends no request',
  ],
  [
    '… whose response lacks a field',
    'a detail that shows an optimistic creation stays when … confirms the creation, and is fetched',
  ],
  [
    '`set(fn)` copies the present value with its defaults',
    'a function of the current value (…) does not count defaults as received',
  ],
  [
    "the row is of a class which the detail's class extends",
    'a row of a summary class becomes an instance of the full class when the detail is written',
  ],
  // Own writes, confirmed
  [
    'the response to a read issued before an own write arrives after it',
    'a read issued before the confirmation of an own write does not undo the write',
  ],
  [
    'two own writes of one field, the earlier confirmed last',
    'of two own writes of one field the one issued later wins',
  ],
  [
    'a push of a field arrives while an own mutation of the field is in flight',
    'after a push of a field that a mutation in flight changes, the response is shown, and the entity refetched',
  ],
  [
    '… of a class with versions (`shouldReorder`)',
    'in a class with versions a pushed higher version stays, and no request is sent',
  ],
  [
    'a read overlaps a mutation; another field, or a list, differs',
    '… that the server computes is refetched once if a read issued later is answered last',
  ],
  [
    'a push deletes the row of a creation in flight',
    'a pushed deletion of a row …, while its creation is in flight, is not undone by the response',
  ],
  ['a mutation succeeds', 'a mutation resolves with the reference that readers have'],
  ['a mutation fails', 'a failed mutation rejects and changes nothing'],
  [
    'two `update` functions, responses in reverse order',
    'two creations whose responses arrive in reverse order are both in the list',
  ],
  [
    'a poll overlaps a mutation with an `update` function',
    'a poll issued … a creation, with a response after it, drops no row and is refetched',
  ],
  [
    'a read is answered between the sending of a creation and its response',
    'a list with a created row, answered before the creation, shows the row once and is refetched',
  ],
  [
    'an invalidated list is read while a creation is confirmed',
    'an invalidated list never shows a response to a read issued before a creation without the created row',
  ],
  [
    'two `assign`s of one key of a map, the earlier confirmed last',
    'of two assigns of one key with responses in reverse order the one issued later wins',
  ],
  [
    'a mutation has an empty response (204), `{id}`, or only other fields',
    'an update answered with … confirms the sent fields, and never shows the former value again',
  ],
  [
    '… of a creation',
    'a creation answered with the key alone keeps the sent fields, and the mounted list is refetched',
  ],
  [
    '… and the entity is not stored, or the body has no declared field',
    'after an empty response, only results with the entity are refetched on the next read',
  ],
  [
    'the response to an update has another primary key',
    'a response with another key renames the row in place in every list, and the old key resolves to it',
  ],
  [
    'a read issued before that contains the old key',
    'a read issued before the renaming writes to the row under its new key',
  ],
  [
    'a read issued after it contains the old key',
    'a row with the old key in the response of a later read is separate from the renamed entity',
  ],
  // Deletions and lists
  [
    'the response to a read issued before a deletion arrives after it',
    'a response to a read issued before a deletion does not restore the entity',
  ],
  [
    'a read issued after a deletion contains the row',
    'a response to a read issued after a deletion restores the entity',
  ],
  [
    'an update gives a row another key, and its deletion is confirmed before',
    'a renamed row stays deleted under both keys if the deletion is answered before the renaming',
  ],
  [
    'the response to a list read issued before a deletion arrives after it',
    'a list read issued before a deletion was confirmed does not restore the row',
  ],
  [
    'the response to a list read issued before a creation arrives after it',
    'a list read issued before a creation was confirmed does not drop its row',
  ],
  [
    'a list read is issued after either',
    'a list read issued after a creation was confirmed replaces the list',
  ],
  [
    'a creation and a read contain the same row',
    'a row in the responses to a creation and a read is listed once',
  ],
  ['a row is created', 'a creation is added to exactly the lists whose filter arguments match it'],
  [
    'the same arguments at two addresses',
    'endpoints at two paths with the same arguments have two lists',
  ],
  [
    'a row is created or deleted, and a numbered page or a search is mounted',
    'a creation refetches mounted pages and searches that may contain the row once, and expires unmounted ones',
  ],
  [
    '… and a list at another address',
    'a creation refetches a mounted list at another address, unless its filter excludes the row',
  ],
  [
    'a deletion, and a list at another address',
    'a deletion removes the row from all lists, and expires lists at another address that may have changed',
  ],
  [
    'a field changes by which lists are filtered',
    'a confirmed change of a filtered field moves the row between lists, and both lists expire',
  ],
  [
    'the response to a list read issued before that change arrives after it',
    'a list read that was issued before a confirmed change does not undo the move',
  ],
  [
    '… and the row was new to the store',
    'a list requested before … with a status that the list excludes does not show the row',
  ],
  [
    "a list's own response changes such a field",
    'the response of a list decides the members of the list, and moves changed rows in other lists',
  ],
  [
    '… and a list in an envelope with a count',
    'a created row is added to an envelope with a count at once, and the envelope is refetched',
  ],
  [
    'a push brings a deleted row back',
    'a list read issued before a deletion does not list the row again after a push restores it',
  ],
  [
    'a mounted detail is deleted by its client',
    'a mounted row has `deleted: true` from the call of the deletion until the deletion fails',
  ],
  [
    'an optimistic edit of a deleted, mounted detail is refused',
    'a mounted deleted row rolls back a rejected optimistic value: %s',
  ],
  [
    'a detail mounts after the deletion',
    'methods of the controller and signals return no data of a deleted entity',
  ],
  // Optimistic values
  [
    'an optimistic mutation is sent',
    'an optimistic change shows at once and is dropped in the commit of its response',
  ],
  [
    'reads and pushes arrive meanwhile',
    'an optimistic change stays above the response to a read, whenever the read was issued',
  ],
  [
    'a later-issued own write of the field is confirmed',
    'an optimistic change does not hide a later own write after its confirmation',
  ],
  [
    'the optimistic value depends on stored data (a counter)',
    'an optimistic snapshot has the confirmed data and earlier layers, and is recomputed when the data change',
  ],
  [
    'an optimistic change of a row that is not stored',
    'a change of a row that is not stored shows as soon as the row is stored',
  ],
  [
    "the response to a read arrives while the row's deletion is pending",
    'fetch resolves with a response that a pending deletion hides',
  ],
  [
    'an optimistic move, and a later-issued move back is confirmed first',
    'of two optimistic moves there and back, the one issued later decides when it is confirmed first',
  ],
  [
    'an optimistic change of a field by which lists are filtered',
    'an optimistic change moves the row at once, and a failure restores the former places',
  ],
  [
    'an optimistic deletion',
    'an optimistic deletion hides the row everywhere, and its failure restores the row in place',
  ],
  [
    'a later-issued own deletion is confirmed first',
    'an optimistic change does not restore a row that a later own deletion has removed',
  ],
  [
    'an optimistic creation',
    'an optimistic creation keeps its position in any order of confirmation',
  ],
  [
    'a push or poll brings that row before the response, or after a 204',
    'the push of a row created by this client is not shown as a second row',
  ],
  ['… and the creation fails', 'after a creation that fails the pushed row is shown'],
  [
    'the server sends the key of that row',
    'an optimistic creation has a temporary key and stays the same row under the key of the server',
  ],
  [
    'changes of that row wait for its key',
    'changes of a temporary row are sent before later changes under the server key',
  ],
  [
    'the response equals the optimistic value',
    'a response equal to the optimistic value notifies no reader',
  ],
  [
    'one of several fails',
    'if the second of three optimistic changes fails, the others stay in order',
  ],
  ['one is aborted', 'an aborted optimistic change is rolled back at once'],
  [
    'an optimistic `assign` to a map',
    'an optimistic assign shows its entries above reads, and its failure removes only these entries',
  ],
  [
    'a row is created under a temporary parent',
    'a row under a temporary parent stays when the response for the parent …',
  ],
  // Aborts, invalidation, expiry, reset, transactions
  ['a request is aborted', 'an abort by the signal of the caller stores no error'],
  [
    'a key is invalidated',
    'only the response to a request issued after an invalidation makes the key fresh',
  ],
  [
    'all fields of an entity are pushed for an invalidated key',
    'setResponse after an invalidation makes the key fresh',
  ],
  [
    'some fields of it are pushed',
    'a push of some fields leaves the invalidated key of the entity invalid, a push of all makes it fresh',
  ],
  [
    'a read is requested while an older one is in flight',
    'a fetch after an invalidation does not join a request issued before the invalidation',
  ],
  [
    '`fetch` is called after a mutation without a schema',
    'an explicit fetch after a mutation without a schema joins no poll issued before, and the late poll is dropped',
  ],
  [
    'an own write is confirmed while a read is in flight',
    'the response to a read issued before an own write is shown, but leaves the key stale',
  ],
  ['data expire while they are shown', 'expiry alone sends no request for a mounted reader'],
  ['data expire before they are read', 'expired data are shown while they are refetched once'],
  ['`reset()`', 'responses to requests issued before a reset are never stored'],
  [
    'a 401 resets the store in a listener of `error`',
    'a reset of the store on a 401 leaves each mounted reader with the 401, after one more request',
  ],
  [
    'a caller waits during a `reset()`',
    'a reset rejects the caller of a request at once with a ResetError, and aborts the request',
  ],
  [
    '`transaction(fn)`',
    'a transaction shows each step at once and confirms all of them in one commit',
  ],
  // Streams
  [
    'many messages arrive together',
    '1,000 messages received together are one commit, and run each reader once',
  ],
  [
    'the response to a read requested before a message arrives',
    'the response to a read issued before a message cannot undo the message',
  ],
  [
    'data are written while a message is queued',
    'a queued message keeps the time of its receipt, so a later write wins',
  ],
  [
    'a request is sent while a message is queued',
    'queued messages are written before the response to a later request',
  ],
  [
    'a message does not match its schema, or its receiver throws',
    'a message that … writes nothing and is reported; other messages are written',
  ],
  [
    'the connection is lost and reopened',
    'after a gap only mounted data are refetched, and only after the connection has reopened',
  ],
  [
    'a message arrives during that refetch',
    'a message received during the refetch is not undone by the older response',
  ],
  ['`reset()` while messages are queued', 'a reset ends a stream and drops the queued messages'],
];
