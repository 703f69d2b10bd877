import { StoreError } from '../errors.ts';

/** The error of a transaction that met another one's change; clients run the transaction again. */
export function writeConflict(): StoreError {
  const error = new StoreError(
    'WriteConflict',
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
  );
  error.labels = ['TransientTransactionError'];
  return error;
}

/** The error of a command that belongs to no open transaction. */
export function noSuchTransaction(message: string): StoreError {
  const error = new StoreError('NoSuchTransaction', message);
  error.labels = ['TransientTransactionError'];
  return error;
}
