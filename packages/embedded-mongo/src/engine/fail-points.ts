import { fail, StoreError } from '../errors.ts';
import {
  fieldsOf,
  getField,
  isArray,
  isNumber,
  isObject,
  isTruthy,
  itemsOf,
  numberOf,
  stringOf,
  types,
  type Value,
} from '../bson/value.ts';

/** What a fail point does to a command. */
export type Failure = {
  closesConnection: boolean;
  error: StoreError | undefined;
  writeConcernError: Value | undefined;
  labels: string[] | undefined;
  blockMs: number;
};

type FailCommand = { commands: Set<string>; failure: Failure; left: number };

function field(document: Value | undefined, name: string): Value | undefined {
  return document && getField(document, name);
}

function failureOf(settings: Value | undefined): Failure {
  const labels = field(settings, 'errorLabels');
  const code = field(settings, 'errorCode');
  const block = field(settings, 'blockTimeMS');
  const error =
    code === undefined ? undefined : new StoreError(numberOf(code), "Failing command via 'failCommand' failpoint");
  return {
    closesConnection: isTruthy(field(settings, 'closeConnection')),
    error,
    writeConcernError: field(settings, 'writeConcernError'),
    labels: isArray(labels) ? itemsOf(labels).map(stringOf) : undefined,
    blockMs: isTruthy(field(settings, 'blockConnection')) && block ? numberOf(block) : 0,
  };
}

/** `failCommand`, with which tests make commands fail on purpose. Only there when the server was started for tests. */
export class FailPoints {
  private failCommand: FailCommand | undefined;

  configure(command: Value): void {
    const name = getField(command, 'configureFailPoint');
    if (name?.type !== types.string || stringOf(name) !== 'failCommand') fail('BadValue', 'failpoint not found');
    const mode = getField(command, 'mode');
    const settings = getField(command, 'data');
    if (mode?.type === types.string && stringOf(mode) === 'off') {
      this.failCommand = undefined;
      return;
    }
    const commands = field(settings, 'failCommands');
    const knownFields = [
      'failCommands',
      'errorCode',
      'closeConnection',
      'writeConcernError',
      'errorLabels',
      'blockConnection',
      'blockTimeMS',
      'appName',
    ];
    const unknown = settings && fieldsOf(settings).find(([key]) => !knownFields.includes(key));
    if (unknown) fail('BadValue', `failCommand does not know ${unknown[0]}`);
    const times = isObject(mode) ? getField(mode, 'times') : undefined;
    this.failCommand = {
      commands: new Set(isArray(commands) ? itemsOf(commands).map(stringOf) : []),
      failure: failureOf(settings),
      left: times && isNumber(times) ? numberOf(times) : Number.POSITIVE_INFINITY,
    };
  }

  /** What shall happen to a command, if anything. */
  take(command: string): Failure | undefined {
    const point = this.failCommand;
    if (point === undefined || !point.commands.has(command) || command === 'configureFailPoint') return undefined;
    if (--point.left <= 0) this.failCommand = undefined;
    return point.failure;
  }
}
