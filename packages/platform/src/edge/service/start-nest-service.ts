import {
  Module,
  StreamableFile,
  type CallHandler,
  type DynamicModule,
  type ExecutionContext,
  type NestInterceptor,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { patience, type RouteContract } from '@parley/protocol';
import type { NextFunction, Request, Response } from 'express';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import 'reflect-metadata';
import type { Server } from 'node:http';
import { freeingSpace, type Mongo } from '../../rows/mongo/index.ts';
import { contextOfCall, requestTimer } from '../../base/telemetry/request-timer.ts';
import { callContext, newCallContext } from '../../events/work/index.ts';
import { ContractGuard } from './contract.guard.ts';
import type { Platform, RunningService } from './platform.ts';
import { ProblemFilter, unlessAway } from './problem.filter.ts';
import { routeMetadata } from './route.ts';
import { UpkeepRunner } from './upkeep-runner.ts';

export type NestServiceOptions = {
  readonly platform: Platform;
  readonly mongo: Mongo;
  readonly modules: readonly (Type | DynamicModule)[];
  /** Runs event handlers; without it the service consumes nothing. */
  readonly consumers?: CustomTransportStrategy;
  /** False if other processes of the service do the upkeep. */
  readonly upkeep?: boolean;
  /** Runs after everything is constructed and before anything starts. */
  readonly beforeStart?: () => Promise<void>;
};

@Module({})
class ServiceModule {}

/** Starts a Nest service behind the contract guard. Resolves when it listens and its consumers run. */
export async function startNestService(options: NestServiceOptions): Promise<RunningService> {
  const { listen } = options.platform;
  const app = await createNestService(options);
  const door = new ClosingDoor(app);
  await options.beforeStart?.();
  await app.init();
  if (options.consumers) await app.startAllMicroservices();
  await app.listen(listen.port, listen.host);
  // Longer than callers keep idle connections, so no request meets a connection that is closing. How long a body takes is
  // for the BFF to judge.
  Object.assign(app.getHttpServer(), { keepAliveTimeout: 75_000, requestTimeout: 0 });
  return { url: urlOf(app, listen.host), close: () => door.close() };
}

/** Constructs everything of the service and starts nothing. */
export async function createNestService({
  platform,
  mongo,
  modules,
  consumers,
  upkeep = true,
}: NestServiceOptions): Promise<NestExpressApplication> {
  const runner: Provider = {
    provide: UpkeepRunner,
    useFactory: (container: ModulesContainer) => new UpkeepRunner(container, platform.logger),
    inject: [ModulesContainer],
  };
  const root: DynamicModule = { module: ServiceModule, imports: [...modules], providers: upkeep ? [runner] : [] };
  const app = await NestFactory.create<NestExpressApplication>(root, {
    logger: ['error', 'warn'].includes(platform.logger.level) ? ['error'] : false,
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestTimer(platform, platform.deployable, (request) => request.route?.path as string | undefined));
  app.use(enterCall);
  app.useGlobalFilters(new ProblemFilter(platform));
  app.useGlobalGuards(new ContractGuard({ platform, mongo, reflector: app.get(Reflector) }));
  app.useGlobalInterceptors(new StoreWatch({ mongo, reflector: app.get(Reflector) }));
  if (platform.checkResponses) app.useGlobalInterceptors(new ResponseChecker(app.get(Reflector)));
  if (consumers) app.connectMicroservice<MicroserviceOptions>({ strategy: consumers }, { inheritAppConfig: true });
  return app;
}

const hurryMs = 50;

/** Closes the server although callers keep sending requests on kept-alive connections, which would hold it open. */
class ClosingDoor {
  private isClosing = false;

  constructor(private readonly app: NestExpressApplication) {
    const server = app.getHttpServer() as Server;
    // Runs before the application, so that headers of the response can still be set.
    server.prependListener('request', (_request, response) => {
      if (this.isClosing) response.setHeader('connection', 'close');
    });
  }

  async close(): Promise<void> {
    const server = this.app.getHttpServer() as Server;
    this.isClosing = true;
    const hurry = setInterval(() => server.closeIdleConnections(), hurryMs);
    await this.app.close().finally(() => clearInterval(hurry));
  }
}

/** Runs the request in a context of its own, so that everything that it causes is part of its trace. */
function enterCall(request: Request, response: Response, next: NextFunction): void {
  const context = newCallContext(request.header('traceparent') ?? null);
  response.locals[contextOfCall] = context;
  // Deleting is allowed on a full disk, because it makes room, immediately or in seven days.
  const isFreeing = request.method === 'DELETE' || request.path.endsWith('/erase');
  callContext.run(context, () => (isFreeing ? freeingSpace(next) : next()));
}

/**
 * Rejects running requests as soon as the store is known to be unavailable; the work itself continues. Requests with
 * more time than `patience.long` are exempt, because they wait for more than the store.
 */
class StoreWatch implements NestInterceptor {
  constructor(private readonly parts: { readonly mongo: Mongo; readonly reflector: Reflector }) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.parts.reflector.get<RouteContract | undefined>(routeMetadata, context.getHandler());
    if (context.getType() !== 'http' || (route?.patienceMs ?? 0) > patience.long) return next.handle();
    return from(unlessAway(this.parts.mongo, lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}

class ResponseChecker implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<RouteContract | undefined>(routeMetadata, context.getHandler());
    return next
      .handle()
      .pipe(
        map((answer: unknown) =>
          route?.response && !(answer instanceof StreamableFile) ? route.response.parse(answer) : answer,
        ),
      );
  }
}

function urlOf(app: NestExpressApplication, host: string): string {
  const address = app.getHttpServer().address() as { port: number };
  return `http://${host}:${address.port}`;
}
