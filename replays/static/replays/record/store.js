// What the phone keeps, in IndexedDB: hands on their way, drafts, and tables as they were last seen.

const NAME = "paipu-record";
let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true });
      asked.result.createObjectStore("kept");
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return opening;
}

async function within(store, mode, act) {
  const transaction = (await database()).transaction(store, mode);
  const asked = act(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

export const keep = (name, value) => within("kept", "readwrite", (store) => store.put(value, name));
export const kept = (name) => within("kept", "readonly", (store) => store.get(name));
export const forget = (name) => within("kept", "readwrite", (store) => store.delete(name));

export const queued = () => within("queue", "readonly", (store) => store.getAll());
export const putQueued = (item) => within("queue", "readwrite", (store) => store.put(item));
export const dropQueued = (id) => within("queue", "readwrite", (store) => store.delete(id));
