import type { RouteContract } from '@parley/protocol';
import { z } from 'zod';
import { costClasses } from '../limits/rates.ts';
import { completionChunk, createCompletion } from '../services/chat/answers/completions.ts';
import { problemCodes } from '../problems.ts';
import { limits } from '../limits/sizes.ts';
import { routeEntries } from './routes.ts';

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): object => {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

/** Says in words what the last segment of a path is about. The docs say what each route does. */
const about: Readonly<Record<string, string>> = {
  listCompletionModels: 'The chatbots that the key may use, as models.',
  getCompletionModel: 'One of them.',
  createCompletion: `An answer of a chatbot, whole or as server-sent events. The owner of a key can ask ${costClasses.question.person} times a minute. ${createCompletion.atOnce.key} requests of a key can run at the same time, and ${createCompletion.atOnce.person} of its owner.`,
  getOpenApi: 'This document.',
  followEvents: 'What happens in the organisation, as server-sent events.',
  getAsyncApi: 'What the events hold.',
};

const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(problemCodes),
    detail: z.string().optional(),
    traceId: z.string().optional(),
  })
  .describe('RFC 9457.');
const openAiError = z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() });
const errorOf = ({ errors }: RouteContract): string => (errors === 'openai' ? 'OpenAiProblem' : 'Problem');

function parametersOf({ params, query }: RouteContract): object[] {
  const parts = [
    ['path', params],
    ['query', query],
  ] as const;
  return parts.flatMap(([place, schema]) =>
    Object.entries((schema as z.ZodObject | undefined)?.shape ?? {}).map(([name, part]) => ({
      name,
      in: place,
      required: place === 'path',
      schema: schemaOf(part as z.ZodType, 'input'),
    })),
  );
}

function contentOf(name: string, { response, stream }: RouteContract): object {
  const event = name === 'createCompletion' ? schemaOf(completionChunk, 'output') : { type: 'string' };
  return {
    ...(response && { 'application/json': { schema: schemaOf(response, 'output') } }),
    ...(stream && { [stream]: { schema: event } }),
  };
}

function operationOf(name: string, route: RouteContract): object {
  const { permission, body, cost } = route;
  return {
    operationId: name,
    summary: about[name],
    ...(permission && { description: `Needs the right ${permission}.` }),
    'x-cost-class': cost,
    security: route.scope === 'public' ? [] : [{ apiKey: [] }],
    parameters: parametersOf(route),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      [route.status ?? 200]: { description: 'Done.', content: contentOf(name, route) },
      default: { $ref: `#/components/responses/${errorOf(route)}` },
    },
  };
}

const responseOf = (schema: string): object => ({
  description: 'Why it was refused or failed.',
  content: { 'application/problem+json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

/** Builds the OpenAPI 3.1 document of `/v1` from the contracts. */
export function openApi(): Record<string, unknown> {
  const own = routeEntries.filter(([, { path }]) => path.startsWith('/v1/'));
  const paths = Map.groupBy(own, ([, { path }]) => path.replaceAll(/:(\w+)/g, '{$1}'));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: '1',
      description: `What programs rely on. Chatbots answer as models, by the API of OpenAI's clients; bodies are JSON of at most ${limits.completionJsonBytes} bytes.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This Parley.' }],
    paths: Object.fromEntries(
      [...paths].map(([path, routes]) => [
        path,
        Object.fromEntries(routes.map(([name, route]) => [route.method.toLowerCase(), operationOf(name, route)])),
      ]),
    ),
    components: {
      schemas: {
        Problem: schemaOf(problem, 'output'),
        OpenAiProblem: schemaOf(problem.extend({ error: openAiError }), 'output'),
      },
      responses: { Problem: responseOf('Problem'), OpenAiProblem: responseOf('OpenAiProblem') },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of an organisation.' } },
    },
  };
}
