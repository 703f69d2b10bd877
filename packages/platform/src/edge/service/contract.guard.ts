import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { allows, confirmedUntil, unknownKey, type Principal } from '@parley/contracts';
import {
  jsonBodyLimitOf,
  lateTokenHeader,
  principalHeader,
  Problem,
  safeParseKnown,
  sessionHeader,
  type RouteContract,
} from '@parley/protocol';
import express from 'express';
import type { Mongo } from '../../rows/mongo/index.ts';
import { scopeOfCaller } from '../../rows/mongo/tenant-scope.ts';
import type { Platform } from './platform.ts';
import { storeAway } from './problem.filter.ts';
import { routeMetadata, type CheckedRequest, type StartSession } from './route.ts';
import type { z } from 'zod';

/**
 * Guards every route: verifies the internal token, revocation, scope and permission, then reads the body and parses
 * params, query and body by the contract. Refuses handlers without a contract, and all requests while the store is
 * unavailable, because nothing works without it.
 */
@Injectable()
export class ContractGuard implements CanActivate {
  constructor(
    private readonly parts: { readonly platform: Platform; readonly mongo: Mongo; readonly reflector: Reflector },
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const route = this.parts.reflector.get<RouteContract | undefined>(routeMetadata, context.getHandler());
    if (!route) throw new Problem('platform.not-found');
    if (this.parts.mongo.isAway) throw storeAway();
    const request = context.switchToHttp().getRequest<CheckedRequest>();
    const principal = await this.principalOf(route, request);
    checkContentType(route, request);
    if (route.rawBodyLimit === undefined) await readJson(request, jsonBodyLimitOf(route));
    request.parley = { principal, input: this.inputOf(route, request, principal) };
    return true;
  }

  private async principalOf(route: RouteContract, request: CheckedRequest): Promise<Principal | null> {
    const token = request.header(principalHeader);
    if (route.scope === 'public') return null;
    if (token === undefined) throw new Problem('platform.unauthenticated');
    const principal = await this.verified(token, request);
    if (route.scope === 'internal') {
      if (principal.kind !== 'service') throw new Problem('platform.unauthenticated');
      return principal;
    }
    if (principal.kind !== 'person') throw new Problem('platform.unauthenticated');
    await this.parts.platform.revocations.check(principal);
    checkRight(route, principal);
    if (route.isSensitive && !confirmedUntil(principal.confirmedAt, new Date()))
      throw new Problem('auth.sign-in-again');
    return principal;
  }

  /** An expired token isn't the caller's error: the BFF learns of it and repeats the request once with a new token. */
  private async verified(token: string, request: CheckedRequest): Promise<Principal> {
    try {
      return await this.parts.platform.verifier.verify(token);
    } catch (error) {
      if (error instanceof Problem && error.code === 'platform.unavailable')
        request.res!.setHeader(lateTokenHeader, 'expired');
      throw error;
    }
  }

  private inputOf(route: RouteContract, request: CheckedRequest, principal: Principal | null): unknown {
    const input = {
      params: parsePart(route, 'params', request.params),
      query: parsePart(route, 'query', request.query),
      body: route.rawBodyLimit === undefined ? parsePart(route, 'body', request.body as unknown) : undefined,
      request,
      principal,
      ...(route.session === 'starts' && { startSession: startSessionBy(request) }),
    };
    return principal ? { ...input, scope: scopeOfCaller(route.scope, principal) } : input;
  }
}

const startSessionBy =
  (request: CheckedRequest): StartSession =>
  (sessionId) =>
    void request.res!.setHeader(sessionHeader, sessionId);

/** Throws on a body other than JSON, or for a raw upload other than the file itself: no form, and no JSON as a file. */
function checkContentType(route: RouteContract, request: CheckedRequest): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  const isJson = request.is('application/json') !== false;
  if (route.rawBodyLimit === undefined && !isJson)
    throw new Problem('platform.unsupported-media-type', { detail: 'Send application/json.' });
  if (route.rawBodyLimit === undefined) return;
  const isRaw = request.is(['application/octet-stream', 'text/*']) !== false;
  if (!isRaw)
    throw new Problem('platform.unsupported-media-type', {
      detail: 'Send the file itself as application/octet-stream.',
    });
  if (Number(request.headers['content-length'] ?? 0) > route.rawBodyLimit) throw new Problem('platform.body-too-large');
}

const readers = new Map<number, ReturnType<typeof express.json>>();

/** Reads a body of up to this many bytes, if there is one. Refuses a larger body and invalid JSON. */
function readJson(request: CheckedRequest, limit: number): Promise<void> {
  const read = readers.get(limit) ?? express.json({ limit, strict: true, type: 'application/json' });
  readers.set(limit, read);
  return new Promise((resolve, reject) => {
    read(request, request.res!, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
  });
}

function checkRight(route: RouteContract, principal: Extract<Principal, { kind: 'person' }>): void {
  if (route.scope === 'platform' && principal.platformRole !== 'admin')
    throw new Problem('platform.forbidden', { detail: 'Only platform admins may do this.' });
  if (route.scope !== 'organisation') return;
  if (!principal.organisation) throw new Problem('platform.organisation-missing');
  const { permission } = route;
  const { userId, organisation } = principal;
  if (!allows({ userId, permissions: organisation.permissions }, permission)) {
    throw new Problem('platform.forbidden', {
      permission,
      detail: `This needs the right ${permission}. An owner or admin of the organisation can give it.`,
    });
  }
}

/** Limits the field paths in errors: a longer path is made of the caller's own text. */
const longestPath = 200;

/** Returns a message without any text of the caller, because unknown keys can be a megabyte. */
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys' ? unknownKey : issue.message.slice(0, longestPath);

/** Returns the first unknown key that looks like a field's name; none for other issues. */
const namesOf = (issue: z.core.$ZodIssue): PropertyKey[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.filter((key) => /^\w{1,64}$/.test(key)).slice(0, 1) : [];

/** Parses a part. People and API clients get an error for each unknown field; services, which can be newer, don't. */
function parsePart(route: RouteContract, part: 'params' | 'query' | 'body', value: unknown): unknown {
  const schema = route[part];
  const isInternal = route.scope === 'internal';
  const isEmpty =
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  if (!schema) {
    if (isEmpty || isInternal) return undefined;
    throw new Problem('platform.invalid-request', {
      detail: `This route takes no ${part}.`,
      errors: [{ path: part, message: 'not expected' }],
    });
  }
  const result = isInternal ? safeParseKnown(schema, value ?? {}) : schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const errors = result.error.issues
    .slice(0, 20)
    .map((issue) => ({
      path: [part, ...issue.path, ...namesOf(issue)].join('.').slice(0, longestPath),
      message: messageOf(issue),
    }));
  throw new Problem('platform.invalid-request', { errors });
}
