import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { randomBytes } from 'node:crypto';

/** The nonce of this response, for scripts and styles. */
export const nonceOf = (response: Response): string => response.locals['nonce'] as string;

/** CSP level 3 with a nonce per response and nothing inline; frames, plug-ins and other origins are out (ASVS 3.4). */
export function securityHeaders(isTls: boolean): RequestHandler[] {
  const nonce = (_request: unknown, response: unknown) => `'nonce-${nonceOf(response as Response)}'`;
  return [
    (_request: Request, response: Response, next: NextFunction) => {
      response.locals['nonce'] = randomBytes(16).toString('base64url');
      next();
    },
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: [nonce, "'strict-dynamic'"],
          styleSrc: ["'self'", nonce],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'"],
          connectSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: isTls ? { maxAge: 31_536_000, includeSubDomains: true } : false,
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginEmbedderPolicy: false,
    }) as RequestHandler,
  ];
}
