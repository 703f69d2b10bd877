import { locales, pageAt, type Locale } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import compression from 'compression';
import staticGzip from 'express-static-gzip';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readSessionId } from '../session/cookie.ts';
import type { BffSettings } from '../bff-settings.ts';
import type { IsHidden } from '../errors/hidden-pages.ts';
import { sendProblem } from '../proxy/send-problem.ts';
import { serverErrorPage } from './error-page.ts';
import { nonceOf } from './security-headers.ts';

const rightToLeft: ReadonlySet<Locale> = new Set(['ar']);
/** The browser remembers the chosen language here; it names a locale and nothing else. */
const localeCookie = /(?:^|;\s*)parley-locale=([A-Za-z-]{2,10})(?:;|$)/;

type PageSettings = Pick<BffSettings, 'frontendFolder' | 'isInsecureHttp'>;

/** The built frontend: assets for ever, pages with a nonce each, a redirect where the locale is missing. */
export function createPages(
  settings: PageSettings,
  platform: Platform,
  isHidden: IsHidden = async () => false,
): Router {
  const { frontendFolder } = settings;
  const router = Router();
  const index = keepWhileUnchanged(join(frontendFolder, 'index.html'));
  router.use(isEncoded);
  router.use(
    '/assets',
    staticGzip(join(frontendFolder, 'assets'), {
      enableBrotli: true,
      orderPreference: ['br', 'gzip'],
      index: false,
      serveStatic: { immutable: true, maxAge: '365d', redirect: false, fallthrough: false },
    }) as RequestHandler,
  );
  router.use(
    express.static(frontendFolder, {
      index: false,
      redirect: false,
      maxAge: '1h',
      setHeaders: (response, path) => path.endsWith('.html') && response.setHeader('cache-control', 'no-store'),
    }),
  );
  router.get('/{*path}', compression() as RequestHandler, async (request: Request, response: Response) => {
    const [, first = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(request.path) ?? [];
    const locale = locales.find((known) => known === first);
    if (!locale)
      return response.redirect(
        302,
        `/${preferredLocale(request)}${request.path === '/' ? '' : safePath(request.path)}${queryOf(request)}`,
      );
    const named = pageAt(rest);
    const found = named && (await isHidden(named, request)) ? undefined : named;
    const page = (await index())
      .replaceAll('__AREA__', found?.area ?? '')
      .replaceAll('__VISITOR__', readSessionId(request.headers.cookie, settings.isInsecureHttp) ? 'no' : 'yes')
      .replaceAll('__CSP_NONCE__', nonceOf(response))
      .replaceAll('__LOCALE__', locale)
      .replaceAll('__DIR__', rightToLeft.has(locale) ? 'rtl' : 'ltr');
    response
      .status(found ? 200 : 404)
      .setHeader('cache-control', 'no-store')
      .type('html')
      .send(page);
  });
  router.use(pageFailed(platform));
  return router;
}

/** Refuses what cannot be decoded before the file server answers it in its own words. */
const isEncoded: RequestHandler = ({ path }, _response, next) => {
  try {
    decodeURIComponent(path);
    next();
  } catch (error) {
    next(Object.assign(error as URIError, { status: 400 }));
  }
};

const pageFailed =
  (platform: Platform): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    if ((error as { status?: number }).status === 400)
      return sendProblem(
        response,
        new Problem('platform.invalid-request', { detail: 'The address is not encoded as addresses are.' }),
        request,
      );
    // The file server refuses paths that lead out of its folder with 403.
    if ([403, 404].includes((error as { status?: number }).status ?? 0))
      return response.status(404).type('text').send('Not found');
    const digest = createHash('sha256')
      .update(`${Date.now()} ${String(error)}`)
      .digest('hex')
      .slice(0, 10);
    platform.logger.error({ digest, path: request.path, err: error }, 'a page could not be served');
    platform.reporter.report(error, { deployable: 'bff', during: 'page', digest });
    response
      .status(500)
      .setHeader('cache-control', 'no-store')
      .type('html')
      .send(serverErrorPage({ host: request.headers.host ?? '', digest, nonce: nonceOf(response) }));
  };

function preferredLocale(request: Request): Locale {
  const chosen = localeCookie.exec(request.headers.cookie ?? '')?.[1];
  const accepted = request.acceptsLanguages([...locales]);
  return locales.find((locale) => locale === chosen) ?? locales.find((locale) => locale === accepted) ?? 'en';
}

/** A path on this host, whatever the request line held: no second slash at its start. */
const safePath = (path: string): string => `/${path.replaceAll(/[\\\s]/g, '').replace(/^\/+/, '')}`;
const queryOf = (request: Request): string =>
  request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';

/** The file's text, read again when it has changed: a build may replace it while Parley runs. */
function keepWhileUnchanged(file: string): () => Promise<string> {
  let kept: { readonly changedAt: number; readonly text: string } | null = null;
  return async () => {
    const { mtimeMs } = await stat(file);
    if (kept?.changedAt !== mtimeMs) kept = { changedAt: mtimeMs, text: await readFile(file, 'utf8') };
    return kept.text;
  };
}
