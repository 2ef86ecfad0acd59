// Clients into whose operations a program can put code of its own.

/** axios, over what sends a request: interceptors and defaults, of it and of each instance. */
export function axiosOf(send) {
  return create({});

  function create(defaults) {
    const before = [];
    const after = [];
    const request = async (given) => {
      let config = { ...client.defaults, ...given };
      for (const change of before) config = await change(config);
      const transform = [client.defaults.transformRequest ?? []].flat();
      for (const change of transform) config = { ...config, body: change(config.body) };
      let response = await (config.adapter ?? send)(config);
      for (const change of after) response = await change(response);
      return response;
    };
    const client = {
      defaults,
      interceptors: {
        request: { use: (change) => before.push(change) },
        response: { use: (change) => after.push(change) },
      },
      create: (options = {}) => create({ ...defaults, ...options }),
      get: (url, config) => request({ ...config, url }),
      request,
    };
    return client;
  }
}

/** A pool over a database: it tells those who listen when it connects, takes and gives back. */
export function poolOf(Database) {
  return class Pool extends Database {
    #listeners = [];
    #isConnected = false;

    on(event, listener) {
      this.#listeners.push({ event, listener });
      return this;
    }

    addListener(event, listener) {
      return this.on(event, listener);
    }

    once(event, listener) {
      return this.on(event, (client) => {
        this.#listeners = this.#listeners.filter((it) => it.event !== event);
        listener(client);
      });
    }

    #tell(event) {
      for (const it of this.#listeners) if (it.event === event) it.listener(new Database());
    }

    query(sql, values) {
      if (this.#listeners.length === 0) return super.query(sql, values);
      if (!this.#isConnected) this.#tell("connect");
      this.#isConnected = true;
      this.#tell("acquire");
      const result = super.query(sql, values);
      result.then(
        () => this.#tell("release"),
        () => this.#tell("release"),
      );
      return result;
    }
  };
}
