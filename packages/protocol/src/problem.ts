import type { Word } from './vocabulary.ts';

export type ProblemCode = Word<'problem'>;

/** Defines status and title of a code. `reportable`: it is our error, and each one is reported to the operator. */
export type ProblemKind = { readonly status: number; readonly title: string; readonly reportable?: true };

const kinds = new Map<string, ProblemKind>();

/** Declares the problems of a product by their codes and returns them; an undeclared code is a 500 with the code as its title. */
export function defineProblems<const Kinds extends Readonly<Record<string, ProblemKind>>>(catalogue: Kinds): Kinds {
  for (const [code, kind] of Object.entries(catalogue)) kinds.set(code, kind);
  return catalogue;
}

const kindOf = (code: string): ProblemKind => kinds.get(code) ?? { status: 500, title: code };

/** Returns whether this version knows a code from elsewhere. */
export const isProblemCode = (code: string): code is ProblemCode => kinds.has(code);

/** Returns whether it is reported to the operator. Expected problems aren't. */
export const isReportable = (code: ProblemCode): boolean => kindOf(code).reportable === true;

/** Holds what a thrower adds to the code. Contracts add fields by declaration merging. */
export interface ProblemExtras {
  /** Says in English what happened, why and what to do; never a stack, never another tenant's content. */
  detail?: string;
  /** Field errors of `platform.invalid-request`: a dotted path and what is wrong there. */
  errors?: { path: string; message: string }[];
  /** Seconds until another attempt makes sense (`platform.rate-limited`). */
  retryAfterSeconds?: number;
  /** The missing permission (`platform.forbidden`). */
  permission?: string;
  /** The present state (`platform.conflict`). */
  current?: unknown;
}

/** Sent as `application/problem+json`. Contracts add fields by declaration merging. */
export interface ProblemDetails extends ProblemExtras {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  instance?: string;
  traceId?: string;
}

/** The most characters of a question that an error repeats. */
const mostEchoed = 200;

/** An error with the code of a problem. Domain code throws it, and callers get `application/problem+json`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, extras: ProblemExtras = {}, options?: ErrorOptions) {
    super(extras.detail ?? kindOf(code).title, options);
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }

  /** Returns the JSON of the problem. `traceId` finds the request in the log. */
  toDetails(context: { instance?: string; traceId?: string } = {}): ProblemDetails {
    const { status, title } = kindOf(this.code);
    const { instance, ...rest } = { ...this.extras, ...context };
    const shown = instance === undefined ? rest : { ...rest, instance: instance.slice(0, mostEchoed) };
    return { type: `urn:parley:problem:${this.code}`, title, status, code: this.code, ...shown };
  }
}
