import { Module, type CallHandler, type DynamicModule, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { limits } from '@parley/contracts';
import express, { type NextFunction, type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import 'reflect-metadata';
import { ContractGuard } from './contract.guard.ts';
import type { Platform, RunningService } from './platform.ts';
import { ProblemFilter } from './problem.filter.ts';
import { routeMetadata, type AnyRoute } from './route.ts';

export type NestServiceOptions = {
  readonly platform: Platform;
  readonly modules: readonly (Type | DynamicModule)[];
  /** Event handlers run behind it; without one the service consumes nothing. */
  readonly consumers?: CustomTransportStrategy;
  /** Runs when everything is constructed and nothing has begun. */
  readonly beforeStart?: () => Promise<void>;
};

@Module({})
class ServiceModule {}

/** Starts a Nest service on the contract gate. Resolves when it listens and its consumers run. */
export async function startNestService(options: NestServiceOptions): Promise<RunningService> {
  const { platform } = options;
  const root: DynamicModule = { module: ServiceModule, imports: [...options.modules] };
  const app = await NestFactory.create<NestExpressApplication>(root, { logger: ['error', 'warn'].includes(platform.logger.level) ? ['error'] : false, bodyParser: false, abortOnError: false });
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(readJsonBody);
  app.useGlobalFilters(new ProblemFilter(platform.logger));
  app.useGlobalGuards(new ContractGuard(platform, app.get(Reflector)));
  if (platform.checkResponses) app.useGlobalInterceptors(new ResponseChecker(app.get(Reflector)));
  if (options.consumers) app.connectMicroservice<MicroserviceOptions>({ strategy: options.consumers }, { inheritAppConfig: true });
  await options.beforeStart?.();
  await app.init();
  if (options.consumers) await app.startAllMicroservices();
  await app.listen(platform.listen.port, platform.listen.host);
  // Longer than any caller keeps an idle connection: else a request meets a connection that is just being closed.
  app.getHttpServer().keepAliveTimeout = 75_000;
  return { url: urlOf(app, platform.listen.host), close: () => app.close() };
}

const parseJson = express.json({ limit: limits.jsonBytes, strict: true, type: 'application/json' });

/** JSON bodies up to 1 MB are parsed; anything else is left unread for the contract gate, which refuses it or hands it to an upload. */
function readJsonBody(request: Request, response: Response, next: NextFunction): void {
  if (request.is('application/json')) parseJson(request, response, next);
  else next();
}

class ResponseChecker implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<AnyRoute | undefined>(routeMetadata, context.getHandler());
    return next.handle().pipe(map((answer: unknown) => (route?.response ? route.response.parse(answer) : answer)));
  }
}

function urlOf(app: NestExpressApplication, host: string): string {
  const address = app.getHttpServer().address() as { port: number };
  return `http://${host}:${address.port}`;
}
