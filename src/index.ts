/** The face of signalbox: every public name of the core, grouped. */
import * as schema from './schemaKinds.ts';

export { Controller } from './Controller.ts';
export type { ArgsOf, ControllerOptions, DataOf, Key, Snapshot } from './Controller.ts';

export { etagOf } from './request/httpCache.ts';
export { httpCache } from './request/httpCache.ts';
export { live } from './live/LiveSource.ts';
export { subscribe, unsubscribe } from './view/subscribe.ts';
export { transaction } from './optimistic/transaction.ts';
export type { Transaction } from './optimistic/transaction.ts';

export { Entity, EntityMixin } from './schema/Entity.ts';
export type { EntityInstance, EntityOptions } from './schema/Entity.ts';
export { Collection } from './schema/Collection.ts';
export type { CollectionOptions } from './schema/conditionsOf.ts';
export { All } from './store/lists/All.ts';
export { ArraySchema as Array, ObjectSchema as Object } from './schema/ArraySchema.ts';
export { Delete, Delete as Invalidate } from './schema/Delete.ts';
export { Lazy } from './schema/Lazy.ts';
export { Query } from './query/Query.ts';
export { innerJoin, leftJoin } from './query/relations/Join.ts';
export type { Join } from './query/relations/Join.ts';
export { belongsTo, hasMany, hasOne, manyToMany } from './query/relations/Relation.ts';
export type { Include, Relation, Relations, WithIncluded } from './query/relations/Relation.ts';
export { withRelated } from './related/withRelated.ts';
export type { RelatedRequests } from './related/withRelated.ts';
export { avg, count, max, min, sum } from './query/engine/aggregates.ts';
export type { Aggregate, FieldAggregate, Accumulator } from './query/engine/aggregates.ts';
export type { Sort } from './query/engine/SortedList.ts';
export type { Declaration, Outcome } from './query/engine/Pipeline.ts';
export { depthLimit } from './schema/ReaderDependentValue.ts';
export type { DepthLimit } from './schema/ReaderDependentValue.ts';
export { Scalar } from './schema/Scalar.ts';
export type { ScalarOptions } from './schema/Scalar.ts';
export { Union } from './schema/Union.ts';
export { Values } from './store/lists/Values.ts';
export { schema };
export type { Denormalized, EntityClass, Kind, Schema } from './schema/schema.ts';
export type { SchemaArgs } from './schema/SchemaArgs.ts';
export type { StandardSchemaV1 } from './schema/DecoderKind.ts';

export { Endpoint } from './endpoint/Endpoint.ts';
export type {
  EndpointInterface,
  EndpointOptions,
  ErrorPolicy,
  FetchFunction,
  HttpCache,
  Policies,
  Retry,
} from './endpoint/Endpoint.ts';

export { RestEndpoint } from './rest/RestEndpoint.ts';
export { optimistic } from './optimistic/optimistic.ts';
export type { Optimistic } from './endpoint/Endpoint.ts';
export { createResource, createResource as resource } from './rest/createResource.ts';
export type { ResourceGenerics, ResourceOptions } from './rest/createResource.ts';
export { Resource } from './rest/Resource.ts';
export type { ResourceClass, ResourceEndpoint, ResourceInstance } from './rest/Resource.ts';
export { hookifyResource } from './rest/hookifyResource.ts';
export type { HookResource } from './rest/hookifyResource.ts';
export { GQLEndpoint } from './rest/GQLEndpoint.ts';
export type { GQLOptions } from './rest/GQLEndpoint.ts';
export type { RestGenerics } from './rest/splitCall.ts';
export { NetworkError } from './rest/NetworkError.ts';
export type { ErrorTypes } from './rest/NetworkError.ts';
export { parseLink } from './rest/linkPages.ts';
export { linkPages } from './rest/linkPages.ts';
export type { LinkedPage } from './rest/linkPages.ts';
export { searchStyles } from './rest/searchStyles.ts';
export type { SearchStyle } from './rest/searchStyles.ts';
export { sendAs } from './rest/sendAs.ts';
export type { FormEncoding } from './rest/sendAs.ts';
export { withStatus } from './rest/response.ts';
export type { StatusAndBody } from './rest/response.ts';
export { shortenPath } from './rest/path.ts';
export type { PathArgs, ShortenPath } from './rest/path.ts';

export { liveResult } from './live/liveResult.ts';
export { peek, snapshot } from './live/LiveObject.ts';
export type { Reader, Ready } from './view/Reader.ts';
export type { Failure, Result } from './store/results/Result.ts';
export { AbortOptimistic } from './request/OptimisticWrites.ts';
export type { OptimisticSnapshot } from './request/OptimisticWrites.ts';
export type { Commit, Events, Issued, KeyTest, Write } from './request/Events.ts';
export { replay } from './request/replay.ts';
export type { Stamp } from './store/records/versioning.ts';
export type { Clock } from './clock.ts';
export type { Return, Surroundings } from './page.ts';

export { addTracker, Cell } from './signals.ts';
export type { ReadonlySignal } from './signals.ts';
export { ResetError, SignalboxError, TimeoutError } from './errors.ts';
export type { Code, UnknownError } from './errors.ts';
