import { createServer, type AddressInfo } from 'node:net';

/** A model server that takes each question and says nothing. */
const silent = createServer((socket) => void socket.unref()).unref();
const isListening = new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));

/** Returns its address, which every scene allows. */
export async function silentAddress(): Promise<string> {
  await isListening;
  return `127.0.0.1:${(silent.address() as AddressInfo).port}`;
}
