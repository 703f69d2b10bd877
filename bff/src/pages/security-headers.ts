import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { randomPart } from '@parley/platform/ids';
import helmet from 'helmet';

/** The nonce of this response, for scripts and styles. */
export const nonceOf = (response: Response): string => response.locals['nonce'] as string;

/** CSP level 3 with a nonce per response and nothing inline; frames, plug-ins and other origins are out (ASVS 3.4). */
export function securityHeaders(isTls: boolean): RequestHandler[] {
  const nonce = (_request: unknown, response: unknown) => `'nonce-${nonceOf(response as Response)}'`;
  return [
    (_request: Request, response: Response, next: NextFunction) => {
      response.locals['nonce'] = randomPart(16).toString('base64url');
      next();
    },
    onlyPages(
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
            workerSrc: ["'self'"],
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
    ),
  ];
}

/** Its decoders of pictures are WebAssembly; everything else comes by messages. */
const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/**
 * Files of the program say only that they are what they are, and for this site: the rest is about documents, and would
 * be a tenth of what a slow line carries at the first visit.
 */
function onlyPages(headers: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (!request.path.startsWith('/assets/')) return headers(request, response, next);
    response.setHeader('x-content-type-options', 'nosniff').setHeader('cross-origin-resource-policy', 'same-origin');
    // A worker has the policy of its own file, not that of the page: what takes PDF apart reaches no network at all.
    if (/\.worker[.-]/.test(request.path)) response.setHeader('content-security-policy', workerPolicy);
    next();
  };
}
