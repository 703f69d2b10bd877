import {
  Controller,
  Inject,
  Module,
  StreamableFile,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Download, ResponseOf, RouteContract } from '@parley/protocol';
import { Jobs, type JobDefinition, type JobRunner } from '../../jobs/queue/index.ts';
import { asDownload } from './download.ts';
import { Input, Route, type InputOf } from './route.ts';
import { textStream } from './text-stream.ts';

type Routes = Readonly<Record<string, RouteContract>>;
type Answer<Contract> = ResponseOf<Contract> | Promise<ResponseOf<Contract>>;

/**
 * One method for each route, with the route's name. It gets the parsed input, and returns the response of the contract.
 */
export type HandlersOf<Contracts extends Routes> = {
  readonly [Name in keyof Contracts]: (input: InputOf<Contracts[Name]>) => Answer<Contracts[Name]>;
};

/** A kind of job, and the class that runs it: `runBy(writeExport, ExportAttempt)`. */
type RunBy = { readonly job: JobDefinition<never>; readonly runner: Type };

export function runBy<Input>(job: JobDefinition<Input>, runner: Type<JobRunner<Input>>): RunBy {
  return { job: job as unknown as JobDefinition<never>, runner };
}

const providersOf = ({ job, runner }: RunBy): Provider[] => [
  runner,
  {
    provide: `run ${job.kind}`,
    inject: [Jobs, runner],
    useFactory: (jobs: Jobs, run: JobRunner<never>) => jobs.register(job, run),
  },
];

type FeatureParts<Contracts extends Routes> = {
  readonly routes: Contracts;
  /** The injectable class for the routes. A class that lacks a method, or takes other input, doesn't compile. */
  readonly handlers: Type<HandlersOf<Contracts>>;
  /** The kinds of jobs of this feature, each with the injectable class that runs it. */
  readonly jobs?: readonly RunBy[];
  /** Classes with `@EventPattern` methods. */
  readonly consumers?: readonly Type[];
  readonly providers?: readonly Provider[];
  /** Features whose exports this one injects. */
  readonly imports?: readonly Type[];
  /** The providers that other features can inject. */
  readonly exports?: NonNullable<ModuleMetadata['exports']>;
};

/** Creates the Nest module of a feature, with a controller made from the contracts. */
export function feature<const Contracts extends Routes>({
  routes,
  handlers,
  jobs = [],
  consumers = [],
  providers = [],
  imports = [],
  exports = [],
}: FeatureParts<Contracts>): Type {
  class FeatureModule {}
  Object.defineProperty(FeatureModule, 'name', { value: `FeatureOf${handlers.name}` });
  Module({
    imports: [...imports],
    controllers: [controllerOf(routes, handlers), ...consumers],
    providers: [handlers, ...providers, ...jobs.flatMap(providersOf)],
    exports: [...exports],
  })(FeatureModule);
  return FeatureModule;
}

type Handler = (input: CheckedInput) => unknown;
type CheckedInput = { readonly request: Request };

function controllerOf<Contracts extends Routes>(routes: Contracts, handlers: Type<HandlersOf<Contracts>>): Type {
  class FeatureController {
    constructor(readonly handlers: Readonly<Record<string, Handler>>) {}
  }
  const { prototype } = FeatureController;
  for (const [name, contract] of Object.entries(routes)) {
    const method = {
      async value(this: FeatureController, input: CheckedInput): Promise<unknown> {
        const answer = await this.handlers[name]!(input);
        const { bytes: type, scope } = contract;
        if (type !== undefined) return keptBytes(answer as Uint8Array, { type, scope }, input);
        if (contract.download) return asDownload(answer as Download, input.request.res!);
        const isStream = contract.stream !== undefined && (!contract.response || isPieces(answer));
        return isStream ? textStream(answer as AsyncIterable<string>, contract.stream, input.request.res!) : answer;
      },
      writable: true,
      configurable: true,
    };
    Object.defineProperty(prototype, name, method);
    Route(contract)(prototype, name, method);
    Input()(prototype, name, 0);
  }
  Inject(handlers)(FeatureController, undefined, 0);
  Controller()(FeatureController);
  return FeatureController;
}

const isPieces = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

type Kept = { readonly type: string; readonly scope: RouteContract['scope'] };

/**
 * Sets how long browsers cache bytes, whose address always has the same content: a year, or five minutes for bytes of
 * an organisation, because access can end.
 */
function keptBytes(bytes: Uint8Array, { type, scope }: Kept, { request }: CheckedInput): StreamableFile {
  const kept = scope === 'person' ? 'max-age=31536000, immutable' : 'max-age=300';
  request.res!.setHeader('cache-control', `private, ${kept}`);
  return new StreamableFile(bytes, { type });
}
