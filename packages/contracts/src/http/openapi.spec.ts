import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { costClasses } from '../limits/rates.ts';
import { openApi } from './openapi.ts';
import { routeEntries } from './routes.ts';

const document = JSON.parse(JSON.stringify(openApi())) as { paths: Record<string, Record<string, object>> };

test('the document is OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(document)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const broken = { ...document, paths: { '/v1/models': { get: { responses: 7 } } } };
  expect((await validator.validate(broken)).valid).toBe(false);
});

test('each operation names its cost class', () => {
  const classes = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods as Record<string, { 'x-cost-class'?: string }>).map((each) => each['x-cost-class']),
  );
  expect(classes.every((name) => name !== undefined && name in costClasses)).toBe(true);
});

test('the document lists all of /v1 and nothing else, each with a description', () => {
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      expect(operation).toHaveProperty('summary');
      return `${method.toUpperCase()} ${path}`;
    }),
  );
  const all = routeEntries.flatMap(([, { method, path }]) =>
    path.startsWith('/v1/') ? [`${method} ${path.replace(':model', '{model}')}`] : [],
  );
  expect(named.toSorted()).toEqual(all.toSorted());
});
