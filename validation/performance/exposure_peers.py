#!/usr/bin/env python3
"""CVA of a netting set of interest rate swaps side by side with Open Source Risk Engine: 100 swaps of 3 to 16 years on
100 dates. A benchmark, not a test: low speed is printed, and is not an error.

    exposure_peers.py --examples FOLDER --python PYTHON [--gsim PROGRAM] [--swaps N] [--samples N] [--paths N]

FOLDER is the folder Examples of ORE's repository, whose market, conventions and model the run uses; PYTHON is an interpreter
with the package open-source-risk-engine. ORE simulates EUR alone, --samples paths; gsim --paths, at least 32,768, by the same
model with constant parameters. Both use one thread. Processor time is that of whole processes, per path."""
import argparse
import copy
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

DATES = 100  # every two months


def swaps(count):
    """Years, fixed rate, whether it is paid, and notional of each swap; the same on every machine."""
    draw = random.Random(7)
    return [(draw.randint(3, 16), draw.uniform(0.01, 0.03), draw.random() < 0.5, draw.choice([1e6, 5e6, 1e7]))
            for _ in range(count)]


def keep(element, wanted):
    """Removes the children whose text `wanted` refuses."""
    for child in list(element if element is not None else []):
        if not wanted(child.text or ""):
            element.remove(child)


def set_parameters(block, **values):
    for parameter in block.iter("Parameter"):
        if parameter.get("name") in values:
            parameter.text = values[parameter.get("name")]


def write_portfolio(examples, folder, book):
    tree = ET.parse(examples / "Exposure/Input/portfolio_swapflat.xml")
    root = tree.getroot()
    model = root.find("Trade")
    for trade in list(root):
        root.remove(trade)
    for i, (years, rate, is_payer, notional) in enumerate(book):
        trade = copy.deepcopy(model)
        trade.set("id", f"Swap_{i}")
        for leg in trade.iter("LegData"):
            is_fixed = leg.find("LegType").text == "Fixed"
            leg.find("Payer").text = "true" if is_fixed == is_payer else "false"
            for name, text in (("Notional", notional), ("Rate", rate), ("StartDate", "20160209"),
                               ("EndDate", f"{2016 + years}0209")):
                for element in leg.iter(name):
                    element.text = str(text)
        root.append(trade)
    tree.write(folder / "portfolio.xml")


def write_simulation(examples, folder, samples):
    tree = ET.parse(examples / "Exposure/Input/simulation_swapflat.xml")
    root = tree.getroot()
    for name, text in (("Grid", f"{DATES},2M"), ("Calendar", "EUR"), ("Samples", samples),
                       ("Sequence", "MersenneTwister")):
        root.find(f"Parameters/{name}").text = str(text)
    model, market = root.find("CrossAssetModel"), root.find("Market")
    for name in ("Equities", "Commodities", "ForeignExchangeModels", "EquityModels", "CommodityModels",
                 "CreditModels", "InstantaneousCorrelations"):
        keep(model.find(name), lambda _: False)
    keep(model.find("Currencies"), lambda text: text == "EUR")
    rates = model.find("InterestRateModels")
    for child in list(rates):
        if child.get("ccy") != "EUR":
            rates.remove(child)
    for name in ("Currencies", "SwaptionVolatilities/Currencies", "CapFloorVolatilities/Currencies",
                 "AggregationScenarioDataCurrencies", "Indices", "AggregationScenarioDataIndices"):
        keep(market.find(name), lambda text: text.startswith("EUR"))
    for name in ("Equities", "Commodities", "EquityVolatilities", "CommodityVolatilities", "FxVolatilities"):
        if market.find(name) is not None:
            market.remove(market.find(name))
    tree.write(folder / "simulation.xml")


def write_run(examples, folder):
    tree = ET.parse(examples / "Exposure/Input/ore_swapflat.xml")
    shared = str((examples / "Input").resolve())
    for parameter in tree.getroot().iter("Parameter"):
        parameter.text = (parameter.text or "").replace("../../Input", shared)
    set_parameters(tree.getroot().find("Setup"), inputPath=str(folder), outputPath=str(folder / "Output"),
                   portfolioFile="portfolio.xml", logMask="15")
    for analytic in tree.getroot().find("Analytics"):
        set_parameters(analytic, simulationConfigFile="simulation.xml", exposureProfilesByTrade="N")
        if analytic.get("type") not in ("simulation", "xva"):
            set_parameters(analytic, active="N")
        for parameter in list(analytic):
            if parameter.get("name") in ("rawCubeOutputFile", "netCubeOutputFile"):
                analytic.remove(parameter)
    tree.write(folder / "ore.xml")
    (folder / "netting.xml").write_text((examples / "Exposure/Input/netting.xml").read_text())


def gsim_configuration(book, paths):
    times = ", ".join(f"{i / 6:.6f}" for i in range(1, DATES + 1))
    text = f"""module = "exposure"
[stop]
samples = {paths}
[exposure]
times = [{times}]
regression_paths = 4096
[[exposure.netting_sets]]
name = "CPTY_A"
credit = "CPTY_A"
[market]
rate = 0.02
[market.credit.CPTY_A]
recovery = 0.4
times = [30.0]
hazard_rates = [0.02]
[market.rates.EUR]
mean_reversion = 0.03
volatility = 0.01
"""
    for i, (years, rate, is_payer, notional) in enumerate(book):
        text += f"""[[trades]]
id = "Swap_{i}"
product = "swap"
rate = "EUR"
type = "{'payer' if is_payer else 'receiver'}"
strike = {rate:.6f}
end = {years}.0
float_period = 0.5
quantity = {notional}
"""
    return text


def processor_seconds(command, folder):
    """Runs a command; processor time of its processes. Its output is shown where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--gsim", default="gsim")
    parser.add_argument("--swaps", type=int, default=100)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--paths", type=int, default=32768)
    a = parser.parse_args()
    program = shutil.which(a.gsim)
    if program is None:
        sys.exit(f"there is no program {a.gsim}")
    program = str(pathlib.Path(program).resolve())
    book = swaps(a.swaps)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_portfolio(a.examples, folder, book)
        write_simulation(a.examples, folder, a.samples)
        write_run(a.examples, folder)
        (folder / "run.toml").write_text(gsim_configuration(book, a.paths))
        script = "import ORE; p = ORE.Parameters(); p.fromFile('ore.xml'); ORE.OREApp(p, False).run()"
        ours = processor_seconds([program, "run", "run.toml", "--threads", "1", "--output", "run.h5"], folder)
        theirs = processor_seconds([a.python, "-c", script], folder)
        for line in (folder / "Output/xva.csv").read_text().splitlines()[:2]:
            print(line[:60])
    print(f"gsim {ours:.1f} s for {a.paths} paths, ORE {theirs:.1f} s for {a.samples}: "
          f"{theirs / a.samples / (ours / a.paths):.0f} times as fast per path")


if __name__ == "__main__":
    main()
