import { Module, type CallHandler, type DynamicModule, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { limits, Problem } from '@parley/contracts';
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
  readonly host: string;
  readonly port: number;
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
  await app.init();
  if (options.consumers) await app.startAllMicroservices();
  await app.listen(options.port, options.host);
  return { url: await urlOf(app, options.host), close: () => app.close() };
}

const parseJson = express.json({ limit: limits.jsonBytes, strict: true, type: 'application/json' });

/** JSON bodies only, 1 MB; raw uploads are left to their handler; any other content type with a body is refused. */
function readJsonBody(request: Request, response: Response, next: NextFunction): void {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody || request.is('application/octet-stream')) return next();
  if (!request.is('application/json')) return next(new Problem('platform.unsupported-media-type', { detail: 'Send application/json.' }));
  parseJson(request, response, next);
}

class ResponseChecker implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<AnyRoute | undefined>(routeMetadata, context.getHandler());
    return next.handle().pipe(map((answer: unknown) => (route?.response ? route.response.parse(answer) : answer)));
  }
}

async function urlOf(app: NestExpressApplication, host: string): Promise<string> {
  const address = app.getHttpServer().address() as { port: number };
  return `http://${host}:${address.port}`;
}
